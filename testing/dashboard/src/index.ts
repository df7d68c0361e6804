/*
 * The dashboard in a real browser.
 *
 *   browser.ts       one Chromium for all tests, started by global-setup.ts
 *   service.ts       a server with people, and procedures that run into each state
 *   watched-page.ts  a page whose errors, policy violations and foreign requests fail the test
 *   accessibility.ts the rules of axe
 */
export { startService, type Service, type ServicePerson } from "./service.ts";
export { openPage, type PageOptions, type WatchedPage } from "./watched-page.ts";
export { seriousProblems } from "./accessibility.ts";
