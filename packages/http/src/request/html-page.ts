/** A page for a person's browser: no script, nothing from elsewhere, and every text escaped. */
export interface HtmlPage {
  readonly body: string;
  readonly media: string;
  readonly headers: readonly string[];
}

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem}" +
  "h1{font-size:1.25rem}small{opacity:.7}";

/** Digest of {@link style} (CSP level 3, 6.7.3.3). */
export const styleDigest = "sha256-4PTAvV4LxgF7ZPi9oL2ev1b3H9JkBFFTF7D7i+w+4s0=";

const headers: readonly string[] = [
  "Content-Security-Policy",
  `default-src 'none'; style-src '${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "Referrer-Policy",
  "no-referrer",
];

/** @param small - facts for support, below the text */
export function htmlPage({
  title,
  text,
  small,
}: {
  readonly title: string;
  readonly text: string;
  readonly small?: string;
}): HtmlPage {
  const body =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><title>${escaped(title)}</title><style>${style}</style></head>` +
    `<body><h1>${escaped(title)}</h1><p>${escaped(text)}</p>` +
    `${small === undefined ? "" : `<p><small>${escaped(small)}</small></p>`}</body></html>`;
  return { body, media: "text/html; charset=utf-8", headers };
}

const entities: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
