import { ProcedoError } from "@procedo/contract";

/**
 * The SDK address without a slash at its end; a path stays as a prefix.
 *
 * @throws ProcedoError `invalid_configuration` for what is no address, or plain HTTP to anything but this machine
 */
export function checkAddress(value: unknown): string {
  if (value === undefined || value === "") {
    throw refused("The service's address is missing: give `url`, or set PROCEDO_SDK_URL.");
  }
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refused("url is no address; it looks like https://sdk.procedo.example.com.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw refused("url is an address only: without credentials, query and fragment.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw refused(`url is ${url.origin}: the token travels over https:// only, except to this machine.`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** By its name or number, as `URL` writes them; nothing is looked up. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|(.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

const refused = (message: string): ProcedoError => new ProcedoError("invalid_configuration", message);
