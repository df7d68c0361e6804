/** A page that a browser shows. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser of tests: follows redirects, and keeps the cookies of each origin with their paths. */
export interface Browser {
  /** Opens an address, and follows redirects to the page at their end. */
  open(url: string): Promise<Page>;
  /** Opens an address, and follows redirects to the first one that begins with `prefix`. Returns it, without opening it. */
  openUntil(url: string, prefix: string): Promise<string>;
  /** Sends one request, and follows no redirect. Keeps the answer's cookies. */
  request(url: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** The cookies of an address's origin, by name. */
  cookiesOf(url: string): ReadonlyMap<string, string>;
}

const maxRedirects = 20;

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

export function createBrowser(): Browser {
  /** By origin, then by name and path. */
  const jars = new Map<string, Map<string, Cookie>>();
  const jarOf = (url: string): Map<string, Cookie> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, Cookie>();
    jars.set(origin, jar);
    return jar;
  };

  const request: Browser["request"] = async (url, headers = {}) => {
    const jar = jarOf(url);
    const { pathname } = new URL(url);
    const sent = [...jar.values()].filter(({ path }) => isUnder(path, pathname));
    const cookie = sent.map(({ name, value }) => `${name}=${value}`).join("; ");
    const ownHeaders = cookie === "" ? headers : { cookie, ...headers };
    const answer = await fetch(url, { headers: ownHeaders, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /;\s*path=([^;]+)/i.exec(line)?.[1] ?? "/";
      const key = `${name} ${path}`;
      if (/max-age=0(?:;|$)|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(key);
      else jar.set(key, { name, value, path });
    }
    return { url, status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  /** Opens pages until `isEnd` of a redirect's target, or until there is none. */
  const follow = async (url: string, isEnd: (target: string) => boolean): Promise<Page | string> => {
    let at = url;
    for (let followed = 0; followed < maxRedirects; followed++) {
      const page = await request(at);
      const location = page.headers.get("location");
      if (page.status < 300 || page.status > 399 || location === null) return page;
      at = new URL(location, at).href;
      if (isEnd(at)) return at;
    }
    throw new Error(`The browser followed ${maxRedirects} redirects, the last to ${at}.`);
  };

  return {
    request,
    open: async (url) => {
      const end = await follow(url, () => false);
      if (typeof end === "string") throw new Error(`The browser stopped before ${end}.`);
      return end;
    },
    openUntil: async (url, prefix) => {
      const end = await follow(url, (target) => target.startsWith(prefix));
      if (typeof end === "string") return end;
      throw new Error(`No redirect leads from ${url} to ${prefix}: ${end.url} answered ${end.status}. ${end.text}`);
    },
    cookiesOf: (url) => new Map([...jarOf(url).values()].map(({ name, value }) => [name, value])),
  };
}

/** Whether a cookie of a path is sent with a request (RFC 6265, 5.1.4). */
function isUnder(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
