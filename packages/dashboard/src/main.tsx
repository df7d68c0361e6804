import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "./api/api-error.ts";
import { createQueryClient } from "./api/query-client.ts";
import { createDashboardRouter } from "./router.tsx";
import { NewerVersionError } from "./shell/lazy-page.ts";
import { onSessionElsewhere } from "./shell/session-elsewhere.ts";
import { sessionQuery } from "./shell/session.ts";
import { goToSignIn } from "./shell/sign-out.ts";
import { Toasts } from "./ui/toasts.tsx";
import { applyAppearance } from "./values/preferences.ts";
import "./styles.css";

applyAppearance();
const queryClient = createQueryClient({ onSignedOut: () => void goToSignIn(router, queryClient) });
const router = createDashboardRouter(queryClient);
onSessionElsewhere((email) => {
  if (email === queryClient.getQueryData(sessionQuery.queryKey)?.person.email) return;
  if (email === undefined) void goToSignIn(router, queryClient);
  else {
    // The page of another person does not ask whether to leave it.
    router.history.destroy();
    location.reload();
  }
});
const element = document.querySelector("#root");
if (element === null) throw new Error("The page has no element for the dashboard.");
createRoot(element, {
  // The page shows a failed read itself; any other error is a fault to look at.
  onCaughtError: (error) => {
    if (!(error instanceof ApiError) && !(error instanceof NewerVersionError)) console.error(error);
  },
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
