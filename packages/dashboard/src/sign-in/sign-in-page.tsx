import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useEffect, useRef, type FormEvent, type ReactElement } from "react";
import { serviceAddress } from "../api/address.ts";
import { answerOf, api } from "../api/client.ts";
import { announceSession } from "../shell/session-elsewhere.ts";
import { sessionOf, sessionQuery } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert } from "../ui/problem.tsx";
import { Card } from "./card.tsx";
import { returnAddress } from "./return-address.ts";
import { SignInProblem } from "./sign-in-problem.tsx";
import { providerFailure } from "./provider-failures.ts";
import { formText } from "../forms/form-text.ts";

const route = getRouteApi("/sign-in");

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Signs a person in, and returns to the address that asked for it. */
export function SignInPage(): ReactElement {
  const { to, error } = route.useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const methods = useQuery({
    queryKey: ["sign-in"],
    queryFn: () => answerOf(api.GET("/api/v1/sign-in")),
  });
  const signIn = useMutation({
    mutationFn: (credentials: Credentials) =>
      answerOf(api.POST("/api/v1/session", { body: { ...credentials, answerWith: "cookie" } })),
    onSuccess: (answer) => {
      const session = sessionOf(answer);
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      announceSession(session.person.email);
      router.history.replace(router.basepath + returnAddress(to));
    },
  });
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (signIn.isError) alert.current?.focus();
  }, [signIn.isError]);

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    signIn.mutate({ email: formText(form, "email"), password: formText(form, "password") });
  };

  const providers = methods.data?.methods.filter((method) => method.kind === "oidc") ?? [];
  const hasPassword = methods.data?.methods.some(({ kind }) => kind === "password") ?? true;
  return (
    <Card heading="Sign in">
      {signIn.isError && (
        <div ref={alert} tabIndex={-1} className="rounded-panel">
          <SignInProblem key={signIn.submittedAt} problem={signIn.error} />
        </div>
      )}
      {signIn.isIdle && error !== undefined && <Alert>{providerFailure(error)}</Alert>}
      {methods.data?.setUp === false && (
        <p className="text-text-2">
          This service has no accounts yet. It printed a link for its first owner when it started: open that link.
        </p>
      )}
      {hasPassword && (
        <form className="flex flex-col gap-4" onSubmit={submit}>
          <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
          <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
          <Button type="submit" variant="primary" busyLabel={signIn.isPending ? "Signing in …" : undefined}>
            Sign in
          </Button>
        </form>
      )}
      {methods.isSuccess && !hasPassword && providers.length === 0 && (
        <p>Your application signs people in to this dashboard. Sign in there, and open this page again.</p>
      )}
      {providers.length > 0 && (
        <div className="flex flex-col gap-2">
          {hasPassword && <p className="text-center text-small text-text-3">or</p>}
          {providers.map(({ id, name }) => {
            const query = new URLSearchParams({ to: `/dashboard${returnAddress(to)}` });
            return (
              <Button
                key={id}
                icon={KeyRound}
                onClick={() =>
                  location.assign(
                    `${serviceAddress}/api/v1/session/oidc/${encodeURIComponent(id)}/start?${query.toString()}`,
                  )
                }
              >
                <span className="truncate">Continue with {name}</span>
              </Button>
            );
          })}
        </div>
      )}
    </Card>
  );
}
