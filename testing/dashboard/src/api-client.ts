import type { Service, ServicePerson } from "./service.ts";

/** Sends a request of a person to a path under `/api/v1/`, and returns the answer's body. */
export type ApiCall = <Body>(method: string, path: string, body?: unknown) => Promise<Body>;

/** Signs a person in, as a program does. A refused request is an error. */
export async function openApi({ url }: Pick<Service, "url">, person: ServicePerson): Promise<ApiCall> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const call: ApiCall = async (method, path, body) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v1/${path}`, { method, headers, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
    return JSON.parse(text) as never;
  };
  const { email, password } = person;
  const session = await call<{ readonly token: string }>("POST", "session", { email, password, answerWith: "token" });
  headers["authorization"] = `Bearer ${session.token}`;
  return call;
}
