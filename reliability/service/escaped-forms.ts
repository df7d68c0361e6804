/** The escapes that services apply to a request's text before they return it. */
const escapes: Readonly<Record<string, (text: string) => string>> = {
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON with \\/": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in ASCII": (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]|[<>&'+]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  URL: (text) => encodeURIComponent(text),
  "whole URL": (text) => encodeURI(text),
  "lower-case URL": (text) => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
  form: (text) => new URLSearchParams({ v: text }).toString().slice(2),
  HTML: (text) => html(text, { '"': "&quot;", "'": "&#39;" }),
  "HTML in hex": (text) => html(text, { '"': "&#x22;", "'": "&#x27;", "/": "&#x2F;", "+": "&#x2B;" }),
};

function html(text: string, more: Readonly<Record<string, string>>): string {
  const references: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...more };
  return text.replace(/[&<>"'/+]/g, (character) => references[character] ?? character);
}

/** A text with each escape and each pair of escapes, without duplicates. Pure. */
export function escapedForms(text: string): ReadonlyMap<string, string> {
  const once = Object.entries(escapes).map(([name, escape]) => [name, escape(text)] as const);
  const twice = once.flatMap(([name, escaped]) =>
    Object.entries(escapes).map(([outer, escape]) => [`${outer} of ${name}`, escape(escaped)] as const),
  );
  const byForm = new Map([...twice, ...once].map(([name, form]) => [form, name]));
  return new Map([...byForm].map(([form, name]) => [name, form]));
}
