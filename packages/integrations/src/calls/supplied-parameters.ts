import type { ApiAuthentication } from "@procedo/contract";

/** Whether the connection supplies the parameter, so that it is not an input of its actions. */
export function isSupplied(
  parameter: { readonly in: string; readonly name: string },
  connection: { readonly authentication: ApiAuthentication; readonly idempotencyHeader?: string | undefined },
): boolean {
  const { authentication, idempotencyHeader } = connection;
  if (parameter.in === "query") {
    return authentication.method === "api_key_query" && authentication.parameter === parameter.name;
  }
  if (parameter.in !== "header") return false;
  const supplied = [idempotencyHeader, authenticationHeader(authentication)];
  return supplied.some((name) => name?.toLowerCase() === parameter.name.toLowerCase());
}

function authenticationHeader(authentication: ApiAuthentication): string | undefined {
  switch (authentication.method) {
    case "api_key_header":
      return authentication.header;
    case "bearer_token":
    case "basic_auth":
    case "oauth2":
    case "client_credentials":
      return "authorization";
    default:
      return undefined;
  }
}
