import { startOAuthServer, type OAuthServer } from "@procedo-testing/oauth-server";
import { fakeBank } from "./fakes/fake-bank.ts";
import { fakeSlack, type FakeSlack } from "./fakes/fake-slack.ts";
import { fakeStripe, type FakeStripe } from "./fakes/fake-stripe.ts";
import { sampleCredits, samplePayouts } from "./fakes/sample-days.ts";
import { serveHandlers } from "./fakes/serve-handlers.ts";

/** Stripe, Slack and the bank, as fakes on loopback, with their credentials. The bank's authorization server is a real one. */
export interface Services {
  readonly stripe: FakeStripe & { readonly url: string; readonly secretKey: string };
  readonly slack: FakeSlack & { readonly url: string; readonly botToken: string; readonly channel: string };
  readonly bank: {
    readonly url: string;
    /** The bank's authorization server, at which Ana has an account. */
    readonly authorization: OAuthServer;
  };
  close(): Promise<void>;
}

const secretKey = "sk_test_an_example_key_of_no_value";
const botToken = "xoxb-an-example-token-of-no-value";
const channel = "C0FINANCE";

/** Starts the three services on free local ports. */
export async function openServices(): Promise<Services> {
  const stripe = fakeStripe({ secretKey, payouts: samplePayouts });
  const slack = fakeSlack({ botToken, channel });
  const authorization = await startOAuthServer();
  const isGood = async (accessToken: string) => (await authorization.accountOf(accessToken)) !== undefined;
  const bank = fakeBank({ isGood, credits: sampleCredits });
  const [stripeServer, slackServer, bankServer] = await Promise.all([
    serveHandlers(stripe.handlers),
    serveHandlers(slack.handlers),
    serveHandlers(bank),
  ]);
  return {
    stripe: { ...stripe, url: stripeServer.url, secretKey },
    slack: { ...slack, url: slackServer.url, botToken, channel },
    bank: { url: bankServer.url, authorization },
    close: async () => {
      await Promise.all([stripeServer.close(), slackServer.close(), bankServer.close(), authorization.stop()]);
    },
  };
}
