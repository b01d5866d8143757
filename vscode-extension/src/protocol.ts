// The server's own requests, typed.
//
// The types are generated from lsp/protocol. The panels keep them, and this file names those that the extension uses.

export type {
  KernelInfo,
  Methods,
  Position,
  Range,
  SpecializationInfo,
  SpecializationsResult,
  WorkspaceEdit,
} from '../../visualizer/src/protocol.ts';
export type {
  DebuggedMoment,
  Moment,
  Notifications,
  PanelId,
  Place,
  ToExtension,
  ToPanel,
} from '../../visualizer/src/host.ts';
