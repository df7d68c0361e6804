export { dashboardSite, type Site, type SiteAnswer, type SiteRequest } from "./site.ts";
