import type { SignInError } from "@procedo/contract";

/* A reason that the service adds does not compile until it has a sentence. */
const sentences: Readonly<Record<SignInError, string>> = {
  expired: "The sign-in took too long, or began in another browser. Begin again.",
  cancelled: "The sign-in was cancelled at your company's sign-in page.",
  refused: "The answer of your company's sign-in page was not accepted. Begin again.",
  email_unverified: "Your company's sign-in page has not verified your e-mail address. Ask its administrator to do so.",
  not_invited: "This account has no access. Ask an owner for an invitation to its e-mail address.",
  unavailable: "Your company's sign-in page could not be reached. Try again in a moment.",
};

/** Why a sign-in at an identity provider failed, by the reason in the address. */
export function providerFailure(reason: string): string {
  return Object.hasOwn(sentences, reason) ? sentences[reason as SignInError] : "The sign-in failed. Begin again.";
}
