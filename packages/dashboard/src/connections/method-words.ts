import { plainLabel } from "./plain-label.ts";

const words: Readonly<Record<string, string>> = {
  none: "None",
  api_key_header: "API key in a header",
  api_key_query: "API key in the address",
  bearer_token: "Bearer token",
  basic_auth: "User and password",
  oauth2: "OAuth, authorized by a person",
  client_credentials: "OAuth, by the client's own credentials",
};

/** A method of authentication, for people. */
export function methodWords(method: string): string {
  return words[method] ?? plainLabel(method);
}
