import type { Clock } from "../ports/clock.ts";
import { systemClock } from "../ports/system-clock.ts";
import { hostName, readHosts } from "./hosts-file.ts";
import { keptFile } from "./kept-file.ts";
import { namesToAsk, readSearchList } from "./search-list.ts";
import { openResolver, systemHostsFile } from "./system-network.ts";

/**
 * Resolves a name to all its addresses. Rejects with an error whose `code` is one of `node:dns`.
 *
 * @param stop ends a lookup whose result is no longer needed
 */
export type Resolve = (hostname: string, stop: AbortSignal) => Promise<readonly string[]>;

export interface NameResolverOptions {
  /** Name servers as `address:port`. @defaultValue the system's */
  readonly servers?: readonly string[];
  /** @defaultValue the system's */
  readonly hostsFile?: string;
  /** @defaultValue `/etc/resolv.conf` */
  readonly resolvConf?: string;
  /** @defaultValue the system's */
  readonly clock?: Pick<Clock, "after">;
}

/** Time limit of a server's answer to the first question. It doubles with each further question. */
const firstQuestionMs = 1_000;
const questionsPerServer = 3;

/** Maximum wait for the second family of addresses after the first one is known. */
const otherFamilyMs = 1_000;

/**
 * Resolves names without threads. `getaddrinfo` (`dns.lookup`) waits for the name server on a thread, and Node allows
 * two such waits at a time, so two names without an answer would block all others. Here a lookup is two questions over
 * UDP, for A and AAAA, and a name without an answer delays no other.
 *
 * Like `getaddrinfo`, it reads the hosts file, and the search list and `ndots` of resolv.conf. It does not support the
 * modules of nsswitch.conf, such as mDNS, or `/etc/resolver` of macOS. IPv4 addresses come first.
 */
export function createNameResolver(options: NameResolverOptions = {}): Resolve {
  const clock = options.clock ?? systemClock;
  const hosts = keptFile(options.hostsFile ?? systemHostsFile, readHosts);
  const searchList = keptFile(options.resolvConf ?? "/etc/resolv.conf", readSearchList);

  return async (hostname, stop) => {
    const known = (await hosts()).get(hostName(hostname));
    if (known !== undefined) return known;
    let failure: Error | undefined;
    for (const name of namesToAsk(hostname, await searchList())) {
      const found = await ask(name, { servers: options.servers, clock, stop });
      if (found.kind === "addresses") return found.addresses;
      // Without an answer for this name, a later one must not be tried: this one might exist.
      if (found.kind === "unanswered") throw found.error;
      // The failure of a search domain is more informative than the absence of the name.
      failure = found.kind === "refused" ? found.error : (failure ?? found.error);
    }
    throw failure ?? new Error("There is no name to look up.");
  };
}

type Found =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  /** The name does not exist, or has no address. */
  | { readonly kind: "absent"; readonly error: Error }
  /** A server answered with a failure or refusal. */
  | { readonly kind: "refused"; readonly error: Error }
  /** No server answered. */
  | { readonly kind: "unanswered"; readonly error: Error };

interface AskOptions {
  readonly servers: readonly string[] | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly stop: AbortSignal;
}

/**
 * Asks with a resolver of its own, which can be cancelled separately and has the current name servers of the system.
 */
async function ask(name: string, { servers, clock, stop }: AskOptions): Promise<Found> {
  const resolver = openResolver({ timeout: firstQuestionMs, tries: questionsPerServer, servers });
  const cancel = (): void => resolver.cancel();
  let cancelGrace = (): void => {};
  // The answer for an alias may contain no address of the family.
  const limitOther = (addresses: string[]): string[] => {
    if (addresses.length > 0) cancelGrace = clock.after(otherFamilyMs, cancel);
    return addresses;
  };
  stop.addEventListener("abort", cancel, { once: true });
  const queries = [resolver.resolve4(name).then(limitOther), resolver.resolve6(name).then(limitOther)];
  if (stop.aborted) cancel();
  const answers = await Promise.allSettled(queries);
  cancelGrace();
  stop.removeEventListener("abort", cancel);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return { kind: "addresses", addresses };
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [failed(answer.reason)] : []));
  const worst = (["unanswered", "refused", "absent"] as const).map((kind) => failures.find((one) => one.kind === kind));
  return worst.find((one) => one !== undefined) ?? { kind: "absent", error: noAddress(name) };
}

function noAddress(name: string): Error {
  return Object.assign(new Error(`The name "${name}" has no address.`), { code: "ENODATA" });
}

function failed(reason: unknown): Exclude<Found, { kind: "addresses" }> {
  const error = reason instanceof Error ? reason : new Error("The lookup failed.", { cause: reason });
  switch ("code" in error ? error.code : undefined) {
    case "ETIMEOUT":
    case "ECANCELLED":
    case "ECONNREFUSED":
      return { kind: "unanswered", error };
    case "ENOTFOUND":
    case "ENODATA":
    case "EBADNAME":
      return { kind: "absent", error };
    default:
      return { kind: "refused", error };
  }
}
