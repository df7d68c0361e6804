/*
 * The dashboard in a real browser.
 *
 *   browser.ts       one Chromium for all tests, started by global-setup.ts
 *   service.ts       a server with people and procedures
 *   bank.ts          a bank in the process of the server
 *   clearing.ts      a clearing house over HTTP, whose connections break
 *   ledger.ts        a ledger that sends events
 *   books.ts         bookkeeping that a person authorizes at a real authorization server
 *   stripe-account.ts  the account of Stripe, on this machine
 *   model.ts         a model over HTTP that is corrected once
 *   documents/       procedures that run into each state, a file each
 *   watched-page.ts  a page whose errors, policy violations and foreign requests fail the test
 *   accessibility.ts the rules of axe
 *   failed-reads.ts  reads of a page that fail
 *   settled-page.ts  waiting until a page shows what it read
 *   injected-code.ts code and elements that a stranger brought into a page
 *   api-client.ts    requests of a person who signed in
 *   hostile-texts.ts texts that attack a page, and seed-hostile-texts.ts, which writes them wherever the API takes a text
 */
export { largeDocument } from "./documents/large-document.ts";
export { startService, type Service, type ServicePerson } from "./service.ts";
export { ledgerSecret } from "./ledger.ts";
export { booksOf } from "./books.ts";
export { startStripeAccount, type StripeAccount } from "./stripe-account.ts";
export { openPage, type PageOptions, type WatchedPage } from "./watched-page.ts";
export { seriousProblems } from "./accessibility.ts";
export { failReads } from "./failed-reads.ts";
export { settled } from "./settled-page.ts";
export { openApi, type ApiCall } from "./api-client.ts";
export { injectedCode, surplusWidth } from "./injected-code.ts";
export { allHostileTexts, hostileTexts } from "./hostile-texts.ts";
export { seedHostileTexts, type HostilePages } from "./seed-hostile-texts.ts";
