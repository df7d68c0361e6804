import { expect } from "vitest";
import { headerOf, type Recorded } from "../../packages/integrations/test/calls/recording-server.ts";

/** The request that a document requires, written by hand. Query and form are pairs, decoded. */
export interface Demanded {
  readonly method: string;
  /** Below the connection's base URL, encoded. */
  readonly path: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
  /** By lower-case name; of the headers of the connection and the transport, only the named ones are compared. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: readonly (readonly [name: string, value: string])[];
  /** Parts of a multipart body: texts, or files with name, type and content. */
  readonly multipart?: readonly (readonly [name: string, value: string | readonly [string, string, string]])[];
  readonly bytes?: { readonly contentType: string; readonly content: string };
}

/** Headers of every request, independent of its document. */
const always = ["host", "connection", "accept", "accept-encoding", "accept-language", "sec-fetch-mode", "user-agent"];
const framing = ["content-type", "content-length", "transfer-encoding"];

/** Compares method, path, query, headers and body. A part that is not required must be missing. */
export async function expectRequest(sent: Recorded, demanded: Demanded): Promise<void> {
  expect(sent.method).toBe(demanded.method);
  expect(sent.target.split("?")[0]).toBe(`/base${demanded.path}`);
  expect(sent.query).toEqual(demanded.query ?? []);
  const named = sent.headers.filter(([name]) => !always.includes(name) && !framing.includes(name));
  expect(Object.fromEntries(named)).toEqual(demanded.headers ?? {});
  expect(named).toHaveLength(Object.keys(demanded.headers ?? {}).length);
  await expectBody(sent, demanded);
}

async function expectBody(sent: Recorded, { json, form, multipart, bytes }: Demanded): Promise<void> {
  const [contentType = "none", ...more] = headerOf(sent, "content-type");
  expect(more).toEqual([]);
  if (json !== undefined) {
    expect(contentType).toBe("application/json");
    expect(JSON.parse(sent.body.toString())).toEqual(json);
  } else if (form !== undefined) {
    expect(contentType).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(sent.body.toString())]).toEqual(form);
  } else if (multipart !== undefined) {
    expect(contentType).toMatch(/^multipart\/form-data; boundary=/);
    const parts = await new Response(sent.body, { headers: { "content-type": contentType } }).formData();
    const shown = [...parts].map(async ([name, value]) =>
      typeof value === "string" ? [name, value] : [name, [value.name, value.type, await value.text()]],
    );
    expect(await Promise.all(shown)).toEqual(multipart);
  } else if (bytes !== undefined) {
    expect(contentType).toBe(bytes.contentType);
    expect(sent.body.toString()).toBe(bytes.content);
  } else {
    expect([contentType, sent.body.byteLength]).toEqual(["none", 0]);
  }
}
