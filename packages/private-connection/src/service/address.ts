import { ProcedoError } from "@procedo/contract";

/**
 * The SDK address without a trailing slash. A path remains as a prefix.
 *
 * @throws ProcedoError `invalid_configuration` for an invalid address, or plain HTTP to another machine
 */
export function checkAddress(value: unknown): string {
  if (value === undefined || value === "") {
    throw refused("The service's address is missing: give `url`, or set PROCEDO_SDK_URL.");
  }
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refused("url is not a valid address. An address looks like https://sdk.procedo.example.com.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refused("url must not contain credentials, a query or a fragment.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw refused(
      `url is ${url.origin}. Use https:// to protect the token; plain HTTP is allowed only to this machine.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Checks the name or number as `URL` writes it, without a lookup. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|(.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

const refused = (message: string): ProcedoError => new ProcedoError("invalid_configuration", message);
