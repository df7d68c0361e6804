import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A request for a file of the dashboard. */
export interface SiteRequest {
  /** The path below the dashboard's address, such as `/live/runs`; "" for the address itself. */
  readonly path: string;
  /** The address under which the dashboard is served, such as `/dashboard` or `/procedo/dashboard`. */
  readonly address: string;
  /** The request's `Accept-Encoding`. */
  readonly acceptEncoding?: string | undefined;
  /** The request's `If-None-Match`. */
  readonly ifNoneMatch?: string | undefined;
}

/** The answer to a request for a file. */
export interface SiteAnswer {
  /**
   * 404 for a file that does not exist; 503 in a checkout that was not built. Each other path gets the page, which
   * reports an unknown address itself.
   */
  readonly status: 200 | 304 | 404 | 503;
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for the statuses 304 and 404. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The dashboard as static files. */
export interface Site {
  /** Answers a GET request. */
  answer(request: SiteRequest): SiteAnswer;
}

interface SiteFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer> | undefined;
  readonly contentType: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types procedo",
].join("; ");

const headersOfAll = { "X-Content-Type-Options": "nosniff" };

/** Not kept, because another process may have the file while this one is being replaced by another version. */
const headersOfNoFile = { ...headersOfAll, "Cache-Control": "no-store" };

const headersOfPage = {
  ...headersOfAll,
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
};

const empty = new Uint8Array();

/**
 * The dashboard's files. They are read into memory at the first request, so that a process which is never asked for the
 * dashboard keeps none of them. In a checkout that was not built, each request is answered with 503 and the command.
 *
 * @example
 * ```ts
 * import { dashboardSite } from "@procedo/dashboard";
 *
 * const site = dashboardSite();
 * const { status, headers } = site.answer({ path: "/sandbox/runs", address: "/dashboard" });
 * console.log(status, headers["Content-Type"]);
 * ```
 */
export function dashboardSite(): Site {
  let files: ReadonlyMap<string, SiteFile> | undefined;
  const pages = new Map<string, Page>();

  return {
    answer: ({ path, address, acceptEncoding, ifNoneMatch }) => {
      files ??= readFiles(fileURLToPath(new URL("../dist/site/", import.meta.url)));
      const file = path === pagePath ? undefined : files.get(path);
      if (file !== undefined) return fileAnswer(file, path, acceptEncoding);
      if (path.startsWith("/assets/")) return { status: 404, headers: headersOfNoFile, body: empty };
      const template = files.get(pagePath);
      if (template === undefined) return notBuilt();
      let page = pages.get(address);
      if (page === undefined) pages.set(address, (page = pageAt(address, template)));
      const headers = { ...headersOfPage, ETag: page.etag };
      return ifNoneMatch === page.etag
        ? { status: 304, headers, body: empty }
        : { status: 200, headers, body: page.body };
    },
  };
}

interface Page {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

const pagePath = "/index.html";

/** The page under its address, from which the browser resolves the addresses of the files. */
function pageAt(address: string, { body: template }: SiteFile): Page {
  const html = new TextDecoder().decode(template).replace('<base href="/dashboard/"', () => `<base href="${address}/"`);
  const body = new TextEncoder().encode(html);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}

function notBuilt(): SiteAnswer {
  const headers = { ...headersOfAll, "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return { status: 503, headers, body: new TextEncoder().encode("The dashboard was not built. Run `pnpm build`.\n") };
}

function readFiles(folder: string): ReadonlyMap<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  let names: readonly string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return files;
  }
  const known = new Set(names);
  for (const name of names) {
    const contentType = contentTypes[name.slice(name.lastIndexOf(".") + 1)];
    if (contentType === undefined) continue;
    const body = readFileSync(folder + name);
    const compressed = known.has(`${name}.gz`) ? readFileSync(`${folder}${name}.gz`) : undefined;
    files.set(`/${name.replaceAll("\\", "/")}`, { body, compressed, contentType });
  }
  return files;
}

function fileAnswer(
  { body, compressed, contentType }: SiteFile,
  path: string,
  acceptEncoding: string | undefined,
): SiteAnswer {
  const isCompressed = compressed !== undefined && /(^|[\s,])gzip\s*(,|$)/i.test(acceptEncoding ?? "");
  const headers = {
    ...headersOfAll,
    "Content-Type": contentType,
    // The names of assets contain a hash of their content.
    "Cache-Control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    ...(compressed !== undefined && { Vary: "Accept-Encoding" }),
    ...(isCompressed && { "Content-Encoding": "gzip" }),
  };
  return { status: 200, headers, body: isCompressed ? compressed : body };
}
