// A small language client: JSON-RPC over a websocket, which may be opened again.
import type { Methods } from '../protocol.ts';

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export class RpcError extends Error {
  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

export const contentModified = -32801;
export const requestCancelled = -32800;

const closed = 'the connection to gluond is closed';

function openSocket(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('error', () => reject(new Error('gluond does not respond')), { once: true });
  });
}

export class LanguageClient {
  private readonly pending = new Map<number, Pending>();
  private readonly handlers = new Map<string, (params: never) => void>();
  private nextId = 1;
  capabilities: Record<string, unknown> = {};
  onClosed: () => void = () => {};

  private constructor(
    private readonly url: string,
    private socket: WebSocket,
  ) {
    this.use(socket);
  }

  static async connect(url: string): Promise<LanguageClient> {
    return new LanguageClient(url, await openSocket(url));
  }
  // Connects again after the connection was lost, to a server that knows nothing yet. Rejects while there is none.
  async reconnect(): Promise<void> {
    this.use(await openSocket(this.url));
  }
  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  private use(socket: WebSocket): void {
    this.socket = socket;
    socket.addEventListener('message', (event) => this.receive(String(event.data)));
    socket.addEventListener('close', () => {
      for (const each of this.pending.values()) each.reject(new Error(closed));
      this.pending.clear();
      this.onClosed();
    });
  }

  async initialize(rootUri: string | null): Promise<void> {
    const result = (await this.request('initialize', {
      processId: null,
      rootUri,
      workspaceFolders: rootUri ? [{ uri: rootUri, name: 'workspace' }] : null,
      capabilities: {
        general: { positionEncodings: ['utf-16'] },
        workspace: { codeLens: { refreshSupport: true } },
        textDocument: { definition: { linkSupport: false }, publishDiagnostics: { relatedInformation: true } },
      },
    })) as { capabilities: Record<string, unknown> };
    this.capabilities = result.capabilities;
    this.notify('initialized', {});
  }

  request<M extends keyof Methods>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']>;
  request(method: string, params: unknown): Promise<unknown>;
  request(method: string, params: unknown): Promise<unknown> {
    const id = this.nextId++;
    if (!this.isOpen) return Promise.reject(new Error(closed));
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  on<P>(method: string, handler: (params: P) => void): void {
    this.handlers.set(method, handler);
  }

  private send(message: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as {
      id?: number | string;
      method?: string;
      params?: unknown;
      result?: unknown;
      error?: { code: number; message: string };
    };
    if (message.method !== undefined) {
      if (message.id !== undefined) this.send({ id: message.id, result: null });
      this.handlers.get(message.method)?.(message.params as never);
      return;
    }
    const pending = this.pending.get(message.id as number);
    this.pending.delete(message.id as number);
    if (message.error) pending?.reject(new RpcError(message.error.message, message.error.code));
    else pending?.resolve(message.result);
  }
}
