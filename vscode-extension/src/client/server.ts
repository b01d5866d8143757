// Owns the language server's process: starts it, restarts it after crashes, reports its state.
//
// A restart disposes of the client and makes a new one, so that no state of a crashed server survives. All methods are
// for the extension host's single thread. They never throw; a failure becomes a state with a message.

import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';
import { serverSettings, settings } from '../settings.ts';
import { schemes } from '../documentSchemes.ts';
import type { Methods } from '../protocol.ts';
import { Backoff } from './backoff.ts';
import { type Binary, findBinary } from './binary.ts';
import { whyNotGluond } from './identity.ts';
import { PythonEnvironment } from './pythonEnvironment.ts';
import { makeMiddleware } from './middleware.ts';

export type Origin = Extract<Binary, { found: true }>['origin'];

export type ServerState =
  | { kind: 'stopped' }
  | { kind: 'starting' }
  | { kind: 'running'; version: string; path: string; origin: Origin }
  // The server died, and the next start is under way.
  | { kind: 'waiting'; milliseconds: number }
  // Nothing happens until the user does something.
  | { kind: 'failed'; message: string; missing: boolean };

// Failures become states of the server; the client's own messages about them go to the output channel only.
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private current: ServerState = { kind: 'stopped' };
  private timer: NodeJS.Timeout | undefined;
  private readonly backoff = new Backoff();
  private readonly environment = new PythonEnvironment(() => void this.environmentChanged());
  // Counts starts; reports of an older start are ignored.
  private generation = 0;
  private readonly stateEmitter = new vscode.EventEmitter<ServerState>();
  private readonly configuredEmitter = new vscode.EventEmitter<void>();
  readonly onDidChangeState = this.stateEmitter.event;
  // The server knows the settings that were changed last.
  readonly onDidConfigure = this.configuredEmitter.event;

  constructor(
    private readonly extensionPath: string,
    readonly output: vscode.LogOutputChannel,
  ) {}

  get state(): ServerState {
    return this.current;
  }

  async start(): Promise<void> {
    clearTimeout(this.timer);
    const generation = ++this.generation;
    // Asking starts the Python extension, so it is asked only if that is active, or if its answer decides what starts.
    if (this.prefersEnvironment() || this.environment.isActive || !this.binary().found) await this.environment.ask();
    if (generation !== this.generation) return;
    const binary = this.binary();
    if (!binary.found) {
      this.output.error(binary.message);
      for (const file of binary.tried) this.output.error(`  tried ${file}`);
      this.setState({ kind: 'failed', message: binary.message, missing: true });
      return;
    }
    this.output.info(`starting ${binary.path} (${originTexts[binary.origin]})`);
    this.setState({ kind: 'starting' });
    const refusal = binary.origin === 'extension' ? undefined : await whyNotGluond(binary.path);
    if (generation !== this.generation) return;
    if (refusal !== undefined) {
      this.output.error(refusal);
      this.setState({ kind: 'failed', message: refusal, missing: true });
      return;
    }
    const client = this.makeClient(binary.path, generation);
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      if (generation !== this.generation) return;
      this.output.error(`gluond did not start: ${String(error)}`);
      this.died(generation);
      return;
    }
    if (generation !== this.generation) return;
    const info = client.initializeResult?.serverInfo;
    this.output.info(`gluond ${info?.version ?? ''} is running`);
    this.setState({ kind: 'running', version: info?.version ?? '', path: binary.path, origin: binary.origin });
  }

  // The program. It is also the debug adapter.
  binary(): Binary {
    return findBinary({
      setting: settings().get<string>('server.path', ''),
      extensionPath: this.extensionPath,
      home: os.homedir(),
      environment: vscode.workspace.isTrusted ? this.environment.folder : '',
      prefersEnvironment: this.prefersEnvironment(),
      workspaces: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
      searchPath: process.env['PATH'] ?? '',
      windows: process.platform === 'win32',
      isExecutable,
      realPath,
      isOwn,
    });
  }

  // Of the selected environment, only the version of Triton is read.
  private settings(): Record<string, unknown> {
    const set = serverSettings();
    if (this.environment.folder) set['python.environment'] ??= path.dirname(this.environment.folder);
    return set;
  }

  private prefersEnvironment(): boolean {
    return settings().get<boolean>('server.preferEnvironment', false);
  }

  // Another environment was selected, or the folder became trusted.
  async environmentChanged(): Promise<void> {
    const binary = this.binary();
    const isOther =
      this.current.kind === 'running'
        ? binary.found && binary.path !== this.current.path
        : this.current.kind === 'failed';
    if (isOther) await this.restart();
    // The release of Triton is another one.
    else await this.client?.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }

  // Called on the user's request: the old server is stopped, and the count of crashes starts again.
  async restart(): Promise<void> {
    this.backoff.forget();
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.generation++;
    const client = this.client;
    this.client = undefined;
    this.setState({ kind: 'stopped' });
    await dispose(client);
  }

  // Rejects with an Error for the user when the server is not there.
  async request<M extends keyof Methods>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
    if (!this.client || this.current.kind !== 'running') throw new Error('gluond is not running');
    return this.client.sendRequest<Methods[M]['result']>(method, params);
  }

  dispose(): void {
    void this.stop();
    this.environment.dispose();
    this.stateEmitter.dispose();
    this.configuredEmitter.dispose();
  }

  private makeClient(command: string, generation: number): LanguageClient {
    return new QuietClient('gluond', 'gluond', () => this.spawn(command), {
      documentSelector: schemes.map((scheme) => ({ scheme, language: 'python' })),
      initializationOptions: () => this.settings(),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticCollectionName: 'gluond',
      middleware: makeMiddleware(
        () => this.settings(),
        () => this.configuredEmitter.fire(),
      ),
      // Text of a workspace ends up in hovers: no command links, no HTML.
      markdown: { isTrusted: false, supportHtml: false },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.died(generation);
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    });
  }

  // The client sends the server's standard error to the output channel, which also shows how the server ended.
  private spawn(command: string): Promise<ChildProcess> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, ['lsp'], { stdio: 'pipe', cwd: os.homedir() });
      child.once('error', reject);
      child.once('spawn', () => {
        this.output.info(`process ${child.pid}`);
        resolve(child);
      });
      child.once('exit', (code, signal) =>
        this.output.info(`process ${child.pid} ended: ${signal ?? `exit code ${code}`}`),
      );
    });
  }

  private died(generation: number): void {
    if (generation !== this.generation) return;
    this.generation++;
    const client = this.client;
    this.client = undefined;
    void dispose(client);
    const delay = this.backoff.died(Date.now());
    if (delay === undefined) {
      const message = 'gluond keeps stopping and was not restarted. See its output for the reason.';
      this.output.error(message);
      this.setState({ kind: 'failed', message, missing: false });
      return;
    }
    this.output.warn(`gluond stopped; next start in ${delay} ms`);
    this.setState({ kind: 'waiting', milliseconds: delay });
    this.timer = setTimeout(() => void this.start(), delay);
  }

  private setState(state: ServerState): void {
    this.current = state;
    this.stateEmitter.fire(state);
  }
}

async function dispose(client: LanguageClient | undefined): Promise<void> {
  if (!client) return;
  try {
    await client.dispose();
  } catch {
    // A client whose server is gone reports that it cannot be stopped.
  }
}

export const originTexts: Readonly<Record<Origin, string>> = {
  setting: 'from the setting gluond.server.path',
  extension: 'from the extension',
  environment: 'from the selected Python environment',
  path: 'from the PATH',
};

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

// The folders above count, too: who can write one can put another file in the place of this one. The group may be the
// user's own.
function isOwn(file: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true; // Windows has no such owners
  for (let place = file; ; place = path.dirname(place)) {
    try {
      const { uid, gid, mode } = fs.statSync(place);
      const isSticky = (mode & 0o1000) !== 0;
      const othersWrite = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== process.getgid?.() && gid !== 0);
      if ((uid !== user && uid !== 0) || (othersWrite && !isSticky)) return false;
    } catch {
      return false;
    }
    if (path.dirname(place) === place) return true;
  }
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
