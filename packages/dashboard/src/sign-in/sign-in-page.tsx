import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState, type FormEvent, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { serviceAddress } from "../api/address.ts";
import { answerOf, api } from "../api/client.ts";
import { sessionOf, sessionQuery } from "../shell/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert, messageOf } from "../ui/problem.tsx";
import { useNow } from "../values/now.ts";
import { Card } from "./card.tsx";
import { returnAddress } from "./return-address.ts";
import { formText } from "../forms/form-text.ts";

const route = getRouteApi("/sign-in");

const failures: Readonly<Record<string, string>> = {
  not_invited: "This account was not invited. Ask an owner for an invitation.",
  failed: "The sign-in did not succeed. Try again.",
};

/** Signs a person in, and returns to the address that asked for it. */
export function SignInPage(): ReactElement {
  const { to, error } = route.useSearch();
  const router = useRouter();
  const queryClient = useQueryClient();
  const methods = useQuery({
    queryKey: ["sign-in"],
    queryFn: () => answerOf(api.GET("/api/v1/sign-in")),
  });
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem !== undefined) alert.current?.focus();
  }, [problem]);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { email: formText(form, "email"), password: formText(form, "password") };
      const session = await answerOf(api.POST("/api/v1/session", { body: { ...body, answerWith: "cookie" } }));
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, sessionOf(session));
      router.history.push(router.basepath + returnAddress(to));
    } catch (failure) {
      setProblem(failure);
      setBusy(false);
    }
  };

  const providers = methods.data?.methods.filter((method) => method.kind === "oidc") ?? [];
  const hasPassword = methods.data?.methods.some(({ kind }) => kind === "password") ?? true;
  return (
    <Card heading="Sign in">
      {problem !== undefined && (
        <div ref={alert} tabIndex={-1}>
          <SignInProblem problem={problem} />
        </div>
      )}
      {problem === undefined && error !== undefined && <Alert>{failures[error] ?? failures["failed"]}</Alert>}
      {methods.data?.setUp === false && (
        <p className="text-text-2">
          Nobody has an account yet. The service printed a link for its first owner when it started.
        </p>
      )}
      {hasPassword && (
        <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
          <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
          <Button type="submit" variant="primary" busyLabel={isBusy ? "Signing in …" : undefined}>
            Sign in
          </Button>
        </form>
      )}
      {providers.map(({ id, name }) => {
        const query = new URLSearchParams({ to: `/dashboard${returnAddress(to)}` });
        return (
          <a
            key={id}
            className={buttonClass()}
            href={`${serviceAddress}/api/v1/session/oidc/${encodeURIComponent(id)}/start?${query.toString()}`}
          >
            Continue with {name}
          </a>
        );
      })}
    </Card>
  );
}

function SignInProblem({ problem }: { readonly problem: unknown }): ReactElement {
  const [failedAtMs] = useState(() => Date.now());
  const nowMs = useNow();
  if (hasCode(problem, "unauthorized")) return <Alert>E-mail or password is wrong.</Alert>;
  if (hasCode(problem, "rate_limited") && problem.retryAfterMs !== undefined) {
    const seconds = Math.ceil((failedAtMs + problem.retryAfterMs - nowMs) / 1_000);
    return <Alert>{seconds > 0 ? `Too many attempts. Try again in ${seconds} s.` : "You can try again now."}</Alert>;
  }
  return <Alert>{messageOf(problem)}</Alert>;
}
