import type { CreateConnectionRequest, CreatedConnection } from "@procedo/contract";

/** Creates a connection through the API. Only this answer shows the token of a private connection. */
export async function createConnection(
  service: { readonly appUrl: string; readonly key: string },
  request: CreateConnectionRequest,
): Promise<CreatedConnection> {
  const response = await fetch(`${service.appUrl}/api/v1/connections`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`The connection was refused: ${await response.text()}`);
  return (await response.json()) as CreatedConnection;
}
