/** The address of the dashboard, such as `/dashboard`, from the page's base element. */
export const dashboardAddress = new URL(document.baseURI).pathname.replace(/\/$/, "");

/** The address under which `/api` lies: "" or the path under which the interface is mounted. */
export const serviceAddress = dashboardAddress.replace(/\/[^/]*$/, "");
