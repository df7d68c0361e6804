// Services that finance teams use
export { openSanctions } from "./opensanctions/opensanctions.ts";
