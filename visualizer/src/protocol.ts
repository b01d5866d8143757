// Generated from lsp/protocol by build/bin/protocol_types; do not edit. docs/lsp-extensions.md explains the fields.

// What `gluond layout --format json` prints: one coordinate vector for each bit of each input.
export interface LinearMap {
  shape: number[];
  dtype?: string | null;
  dims: string[];
  bases: Record<string, number[][]>;
  replication: Record<string, number>;
}

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface TextEdit {
  range: Range;
  newText: string;
}

export interface TextDocumentIdentifier {
  uri: string;
}

export interface DocumentParams {
  textDocument: TextDocumentIdentifier;
}

export interface Location {
  uri: string;
  range: Range;
}

export interface SpecializationInfo {
  id: string;
  label: string;
  origin: string;
  target: string;
  source?: Location;
  selected: boolean;
}

export interface KernelInfo {
  kernel: string;
  range: Range;
  specializations: SpecializationInfo[];
}

export interface SpecializationsResult {
  version?: number;
  kernels: KernelInfo[];
  triton?: string;
  tritonBecause?: string;
}

export interface SelectSpecializationParams {
  textDocument: TextDocumentIdentifier;
  kernel: string;
  specialization?: string;
}

export interface StageIRParams {
  textDocument: TextDocumentIdentifier;
  kernel: string;
  specialization?: string;
  stage: string;
  pass?: string;
}

export interface LineMapping {
  line: number;
  uri: string;
  sourceLine: number;
  calledFrom: number[];
}

export interface CodeDescription {
  href: string;
}

export interface DiagnosticRelatedInformation {
  location: Location;
  message: string;
}

export interface Diagnostic {
  range: Range;
  severity: number;
  code: string;
  codeDescription?: CodeDescription;
  source: string;
  message: string;
  relatedInformation?: DiagnosticRelatedInformation[];
}

export interface StageInfo {
  id: string;
  title: string;
  language: string;
}

export interface StageIRResult {
  version?: number;
  stale: boolean;
  specialization: string;
  stage: string;
  text: string;
  lines: LineMapping[];
  diagnostics: Diagnostic[];
  stages: StageInfo[];
  milliseconds: number;
  resources: string;
}

export interface PassesParams {
  textDocument: TextDocumentIdentifier;
  kernel: string;
  specialization?: string;
}

export interface PassInfo {
  id: string;
  title: string;
  changed: boolean;
  text?: string;
}

export interface PassesResult {
  version?: number;
  specialization: string;
  text: string;
  passes: PassInfo[];
  failed?: string;
}

export interface LayoutMapParams {
  textDocument?: TextDocumentIdentifier;
  position?: Position;
  expression?: string;
  shape?: number[];
  dtype?: string;
  target?: string;
}

export interface LayoutPart {
  buffer: string;
  offsets: number[];
  shape: number[];
}

export interface Padding {
  interval: number;
  amount: number;
}

export interface LayoutMapResult {
  layout: string;
  kind: string;
  summary: string;
  shape: number[];
  slots?: number[];
  part?: LayoutPart;
  dtype?: string;
  elementBits: number;
  map: LinearMap;
  padding: Padding[];
  banks: number;
  text: string;
  target?: string;
  value?: string;
  range?: Range;
  source?: Location;
}

export interface OperationsParams {
  textDocument: TextDocumentIdentifier;
  position?: Position;
  kernel?: string;
  specialization?: string;
}

export interface OperationInfo {
  index: number;
  kind: string;
  op: string;
  title: string;
  writes: boolean;
  location: Location;
  calledFrom: Location[];
  shape: number[];
  dtype: string;
  elementBits: number;
  registers?: string;
  other?: string;
  bufferShape?: number[];
  buffers: number[];
  inLoop: boolean;
  summary: string;
}

export interface OperationsResult {
  version?: number;
  kernel: string;
  specialization: string;
  target: string;
  operations: OperationInfo[];
}

export interface GivenValue {
  name: string;
  value: number;
}

export interface AccessParams {
  textDocument: TextDocumentIdentifier;
  kernel: string;
  specialization?: string;
  operation: number;
  warp: number;
  instruction: number;
  given: GivenValue[];
}

export interface BulkCopyInfo {
  tensor: number[];
  origin: number[];
  rows: number[];
  message: number[];
  picked: boolean;
  multicast: boolean;
}

export interface AssumedValue {
  name: string;
  value: number;
  given: boolean;
  launched: boolean;
}

export interface AccessResult {
  operation: OperationInfo;
  warps: number;
  instructions: number;
  elements: number;
  bytes: number;
  addresses: number[];
  active: number[];
  phases: number[];
  coordinates: number[][];
  sectors: number;
  lines: number;
  leastSectors: number;
  totalSectors: number;
  totalLeastSectors: number;
  instruction?: string;
  banks: number;
  wavefronts: number;
  leastWavefronts: number;
  totalWavefronts: number;
  totalLeastWavefronts: number;
  bulk?: BulkCopyInfo;
  assumptions: AssumedValue[];
  unknown?: string;
}

export interface ConversionParams {
  from: string;
  to: string;
  shape?: number[];
  dtype?: string;
  target?: string;
  inLoop?: boolean;
}

export interface ConversionInstructions {
  swaps: number;
  shuffles: number;
  selects: number;
  stores: number;
  storeBytes: number;
  loads: number;
  loadBytes: number;
  barriers: number;
  barrier: string;
}

export interface ConversionResult {
  from: LayoutMapResult;
  to: LayoutMapResult;
  kind: string;
  summary: string;
  bytes: number;
  bytesMoved: number;
  sharedBytes: number;
  instructions?: ConversionInstructions;
}

export interface StudyLayoutParams {
  expression: string;
  shape?: number[];
  dtype?: string;
  target?: string;
  strides?: number[];
  partner?: string;
}

export interface StudyGlobal {
  bytes: number;
  instructions: number;
  sectors: number;
  leastSectors: number;
  lines: number;
}

export interface StudyShared {
  bytes: number;
  instructions: number;
  wavefronts: number;
  leastWavefronts: number;
}

export interface StudyWarning {
  severity: string;
  message: string;
}

export interface StudyLayoutResult {
  error?: string;
  layout?: LayoutMapResult;
  partner?: LayoutMapResult;
  strides: number[];
  global?: StudyGlobal;
  shared?: StudyShared;
  registers: number;
  warnings: StudyWarning[];
}

export interface LayoutChange {
  parameter: string;
  position: number;
  was: string;
  becomes: string;
}

export interface WriteLayoutParams {
  textDocument: TextDocumentIdentifier;
  range: Range;
  expression: string;
  changes?: LayoutChange[];
}

export interface WorkspaceEdit {
  changes: Record<string, TextEdit[]>;
}

export interface WriteLayoutResult {
  edit: WorkspaceEdit;
  text: string;
}

export interface BenchmarkPlanParams {
  textDocument: TextDocumentIdentifier;
  kernel: string;
  specialization?: string;
}

export interface BenchmarkAxis {
  name: string;
  value: string;
  suggestions: string[];
}

export interface BenchmarkArgument {
  name: string;
  type: string;
  text: string;
  assumed: boolean;
}

export interface BenchmarkPast {
  when: string;
  specialization: string;
  label: string;
  device: string;
  median: number;
  edited: boolean;
}

export interface BenchmarkPlanResult {
  kernel: string;
  specialization: string;
  label: string;
  target: string;
  launches: number;
  axes: BenchmarkAxis[];
  arguments: BenchmarkArgument[];
  grid: string;
  runners: string[];
  history: BenchmarkPast[];
}

export interface BenchmarkValues {
  name: string;
  values: string[];
}

export interface BenchmarkParams {
  textDocument: TextDocumentIdentifier;
  kernel: string;
  specialization?: string;
  what: string;
  axes?: BenchmarkValues[];
  arguments?: string[];
  grid?: string;
}

export interface BenchmarkResult {
  run: string;
  rows: number;
}

export interface BenchmarkRowsParams {
  run: string;
  after: number;
}

export interface BenchmarkProblem {
  kind: string;
  message: string;
  error: string;
  log: string;
}

export interface BenchmarkTensor {
  name: string;
  dtype: string;
  shape: number[];
  changed: boolean;
  overwritten: boolean;
  least: number;
  most: number;
  mean: number;
  nans: number;
  infinities: number;
}

export interface BenchmarkRowInfo {
  index: number;
  id: string;
  label: string;
  target: string;
  state: string;
  device: string;
  median: number;
  low: number;
  high: number;
  runs: number;
  gigabytesPerSecond: number;
  teraflops: number;
  percentOfPeak: number;
  bound: string;
  bytes: number;
  operations: number;
  registers: number;
  localBytes: number;
  warps: number;
  ctas: number;
  sharedBytes: number;
  occupancy: number;
  limitedBy: string;
  compileMs: number;
  grid: number[];
  notes: string[];
  problem?: BenchmarkProblem;
  before?: BenchmarkPast;
  tensors?: BenchmarkTensor[];
  printed: string;
}

export interface BenchmarkRowsResult {
  sequence: number;
  done: boolean;
  rows: BenchmarkRowInfo[];
}

export interface StopBenchmarkParams {
  run: string;
}

export interface StopBenchmarkResult {
  stopped: boolean;
}

export interface SimulateParams {
  textDocument: TextDocumentIdentifier;
  kernel: string;
  specialization?: string;
  arguments?: string[];
  grid?: string;
  program?: string;
  schedule?: string;
}

export interface TimelineLane {
  name: string;
  isEngine: boolean;
}

export interface TimelinePlace {
  location: Location;
  text: string;
}

export interface TimelineSlice {
  lane: number;
  from: number;
  to: number;
  kind: string;
  name: string;
  place?: number;
  what: string;
  bytes: number;
  isOpen: boolean;
}

export interface TimelineLink {
  fromLane: number;
  toLane: number;
  from: number;
  to: number;
  kind: string;
}

export interface TimelineBuffer {
  name: string;
  kind: string;
  shape: number[];
  dtype: string;
  bytes: number;
  place?: number;
  writes: number[];
  reads: number[];
}

export interface TimelineEvent {
  message: string;
  place?: number;
}

export interface TimelineFinding {
  code: string;
  severity: string;
  message: string;
  moment: number;
  place?: number;
  buffer?: number;
  events: TimelineEvent[];
}

export interface SimulateResult {
  run: string;
  version?: number;
  kernel: string;
  specialization: string;
  label: string;
  target: string;
  grid: string;
  program: string;
  schedule: string;
  assumptions: string[];
  steps: number;
  stopped?: string;
  lanes: TimelineLane[];
  places: TimelinePlace[];
  slices: TimelineSlice[];
  links: TimelineLink[];
  buffers: TimelineBuffer[];
  findings: TimelineFinding[];
}

export interface MomentExpression {
  textDocument: TextDocumentIdentifier;
  position: Position;
  text: string;
}

export interface MomentParams {
  run: string;
  moment: number;
  expression?: MomentExpression;
  buffer?: number;
  stage?: number;
  finding?: number;
}

export interface MomentPartition {
  name: string;
  state: string;
  location?: Location;
}

export interface MomentItem {
  name: string;
  text: string;
}

export interface MomentContents {
  stage: number;
  stages: number;
  shape: number[];
  dtype: string;
  values: string[];
  writtenAt?: number;
  writtenBy?: Location;
  changed: number[];
  touched: number[];
}

export interface MomentElements {
  shape: number[];
  dtype: string;
  values: string[];
}

export interface MomentResult {
  moment: number;
  partitions: MomentPartition[];
  barriers: MomentItem[];
  operations: MomentItem[];
  contents?: MomentContents;
  elements?: MomentElements;
  problem?: string;
}

// Every method of gluond's own.
export interface Methods {
  'gluond/specializations': { params: DocumentParams; result: SpecializationsResult };
  'gluond/selectSpecialization': { params: SelectSpecializationParams; result: SpecializationsResult };
  'gluond/stageIR': { params: StageIRParams; result: StageIRResult };
  'gluond/passes': { params: PassesParams; result: PassesResult };
  'gluond/layoutMap': { params: LayoutMapParams; result: LayoutMapResult };
  'gluond/operations': { params: OperationsParams; result: OperationsResult };
  'gluond/access': { params: AccessParams; result: AccessResult };
  'gluond/conversion': { params: ConversionParams; result: ConversionResult };
  'gluond/studyLayout': { params: StudyLayoutParams; result: StudyLayoutResult };
  'gluond/writeLayout': { params: WriteLayoutParams; result: WriteLayoutResult };
  'gluond/benchmarkPlan': { params: BenchmarkPlanParams; result: BenchmarkPlanResult };
  'gluond/benchmark': { params: BenchmarkParams; result: BenchmarkResult };
  'gluond/benchmarkRows': { params: BenchmarkRowsParams; result: BenchmarkRowsResult };
  'gluond/stopBenchmark': { params: StopBenchmarkParams; result: StopBenchmarkResult };
  'gluond/simulate': { params: SimulateParams; result: SimulateResult };
  'gluond/moment': { params: MomentParams; result: MomentResult };
}
