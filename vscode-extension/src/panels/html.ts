// The page of the panels' webview. Pure.
//
// Only the bundle (by nonce), its style sheet, and pictures made by the panels themselves are allowed: no network, no
// inline code, no frames, no forms. Text of the workspace is never part of this page; it arrives in messages and is
// shown as text.

export interface PageParts {
  script: string; // webview URIs
  style: string;
  cspSource: string;
  nonce: string;
}

export function contentSecurityPolicy(parts: Pick<PageParts, 'cspSource' | 'nonce'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${parts.nonce}'`,
    `style-src ${parts.cspSource}`,
    `img-src blob: data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

export function panelsPage(parts: PageParts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(contentSecurityPolicy(parts))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeAttribute(parts.style)}">
<title>gluond</title>
</head>
<body>
<div id="gluond-panels"></div>
<script nonce="${escapeAttribute(parts.nonce)}" src="${escapeAttribute(parts.script)}"></script>
</body>
</html>
`;
}

function escapeAttribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
