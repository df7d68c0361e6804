// Services that finance teams use
export { goCardless } from "./gocardless/gocardless.ts";
export { onfido } from "./onfido/onfido.ts";
export { openSanctions } from "./opensanctions/opensanctions.ts";
export { plaid } from "./plaid/plaid.ts";
export { slack } from "./slack/slack.ts";
export { stripe } from "./stripe/stripe.ts";
export { services } from "./services.ts";
