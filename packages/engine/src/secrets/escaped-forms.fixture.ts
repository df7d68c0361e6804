/** The ways in which services escape a text in their answers. Each may be applied to the result of another one. */
export const escapes: Readonly<Record<string, (text: string) => string>> = {
  "HTML (&amp; &lt; &gt; &quot; &#39;)": (text) => html(text, { "'": "&#39;", '"': "&quot;" }),
  "HTML with &#34; &#x27; &#x2F;": (text) => html(text, { "'": "&#x27;", '"': "&#34;", "/": "&#x2F;" }),
  "HTML with named references": (text) =>
    html(text, { "'": "&apos;", '"': "&QUOT;", "/": "&sol;", "+": "&plus;", "%": "&percnt;" }),
  "HTML, each character by number": (text) => each(text, (code) => `&#${code};`),
  "HTML, each character in hex": (text) => each(text, (code) => `&#x${code.toString(16)};`),
  encodeURI: (text) => encodeURI(text),
  encodeURIComponent: (text) => encodeURIComponent(text),
  "URL in lower case": (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  "URL, each byte": (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "form (URLSearchParams)": (text) => new URLSearchParams({ "": text }).toString().slice(1),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON with \\/": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]|[<>&'+]/g, (unit) => unicode(unit, (hex) => hex)),
  "JSON in ASCII, upper case": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]|[<>&'+]/g, (unit) => unicode(unit, (hex) => hex.toUpperCase())),
  "JavaScript (\\x2f)": (text) =>
    text.replace(/[^\w]/g, (unit) => {
      const code = unit.charCodeAt(0);
      return code < 0x80 ? `\\x${code.toString(16).padStart(2, "0")}` : unicode(unit, (hex) => hex);
    }),
  "JavaScript, each character": (text) =>
    [...Array(text.length).keys()].map((at) => unicode(text.charAt(at), (hex) => hex)).join(""),
  backslashes: (text) => text.replace(/[^\w\s\u0080-\uffff]/g, "\\$&"),
  "lines of 20 characters": (text) => text.replace(/.{20}/g, "$&\r\n"),
};

function html(text: string, more: Readonly<Record<string, string>>): string {
  const references: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...more };
  return text.replace(/[&<>"'/+%]/g, (character) => references[character] ?? character);
}

function each(text: string, write: (code: number) => string): string {
  return [...text].map((character) => write(character.codePointAt(0) ?? 0)).join("");
}

function unicode(text: string, write: (hex: string) => string): string {
  return [...Array(text.length).keys()]
    .map((at) => `\\u${write(text.charCodeAt(at).toString(16).padStart(4, "0"))}`)
    .join("");
}

/** Encodings of a secret, alone or as a part of longer data. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  "Basic user:secret": (text) => Buffer.from(`user:${text}`).toString("base64"),
  hex: (text) => Buffer.from(text).toString("hex"),
  "hex in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};
