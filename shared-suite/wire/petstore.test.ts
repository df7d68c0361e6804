import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openCalling, type Calling } from "../calling.ts";
import { pathOf, textOf } from "../shared-documents.ts";
import { expectRequest, type Demanded } from "./expect-request.ts";

let calling: Calling;
beforeAll(async () => {
  const authentication = { method: "api_key_header", header: "api_key" } as const;
  const document = textOf(pathOf("real", "petstore-openapi.yaml"));
  calling = await openCalling(document, { authentication, secrets: { apiKey: "special-key" } });
});
afterAll(() => calling.close());

const pet = {
  id: 10,
  name: "doggie",
  category: { id: 1, name: "Dogs" },
  photoUrls: ["https://example.com/1"],
  tags: [],
};
const user = { id: 10, username: "theUser", firstName: "John", userStatus: 1 };
const order = {
  id: 10,
  petId: 198_772,
  quantity: 7,
  shipDate: "2026-11-20T10:00:00Z",
  status: "approved",
  complete: true,
};

const calls: readonly (readonly [name: string, args: JsonObject, demanded: Demanded])[] = [
  ["updatePet", pet, { method: "PUT", path: "/pet", json: pet }],
  ["addPet", { ...pet, status: "pending" }, { method: "POST", path: "/pet", json: { ...pet, status: "pending" } }],
  ["findPetsByStatus", { status: "sold" }, { method: "GET", path: "/pet/findByStatus", query: [["status", "sold"]] }],
  [
    "findPetsByTags",
    { tags: ["tag1", "a&b"] },
    {
      method: "GET",
      path: "/pet/findByTags",
      query: [
        ["tags", "tag1"],
        ["tags", "a&b"],
      ],
    },
  ],
  ["getPetById", { petId: 7 }, { method: "GET", path: "/pet/7" }],
  [
    "updatePetWithForm",
    { petId: 7, name: "Rex II", status: "sold" },
    {
      method: "POST",
      path: "/pet/7",
      query: [
        ["name", "Rex II"],
        ["status", "sold"],
      ],
    },
  ],
  // Its header `api_key` is supplied by the connection.
  ["deletePet", { petId: 7 }, { method: "DELETE", path: "/pet/7" }],
  [
    "uploadFile",
    { petId: 7, additionalMetadata: "front", body: { base64: Buffer.from("an image").toString("base64") } },
    {
      method: "POST",
      path: "/pet/7/uploadImage",
      query: [["additionalMetadata", "front"]],
      bytes: { contentType: "application/octet-stream", content: "an image" },
    },
  ],
  ["getInventory", {}, { method: "GET", path: "/store/inventory" }],
  ["placeOrder", order, { method: "POST", path: "/store/order", json: order }],
  ["getOrderById", { orderId: 4 }, { method: "GET", path: "/store/order/4" }],
  ["deleteOrder", { orderId: 9_007_199_254_740_991 }, { method: "DELETE", path: "/store/order/9007199254740991" }],
  ["createUser", user, { method: "POST", path: "/user", json: user }],
  [
    "createUsersWithListInput",
    { body: [user, user] },
    { method: "POST", path: "/user/createWithList", json: [user, user] },
  ],
  [
    "loginUser",
    { username: "ana", password: "p w" },
    {
      method: "GET",
      path: "/user/login",
      query: [
        ["username", "ana"],
        ["password", "p w"],
      ],
    },
  ],
  ["logoutUser", {}, { method: "GET", path: "/user/logout" }],
  ["getUserByName", { username: "a/b" }, { method: "GET", path: "/user/a%2Fb" }],
  [
    "updateUser",
    { username_path: "old", username_body: "new", firstName: "John" },
    { method: "PUT", path: "/user/old", json: { username: "new", firstName: "John" } },
  ],
  ["deleteUser", { username: "ünï" }, { method: "DELETE", path: "/user/%C3%BCn%C3%AF" }],
];

describe("petstore: every operation, as received by a server", () => {
  test.each(calls)("%s", async (name, args, demanded) => {
    await expectRequest(await calling.send(name, args), { ...demanded, headers: { api_key: "special-key" } });
  });

  test("no operation is missing", () => {
    expect(calls.map(([name]) => name)).toEqual([...calling.actions.keys()]);
  });
});
