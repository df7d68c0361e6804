import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, type FormEvent, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import { announceSession } from "../shell/session-elsewhere.ts";
import { sessionOf, sessionQuery, type DashboardSession } from "../shell/session.ts";
import { formText } from "../forms/form-text.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { fieldProblems } from "../api/field-problems.ts";
import { NewPasswordField } from "../ui/password-field.tsx";

interface Given {
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

interface JoinFormProps {
  readonly token: string;
  /** The invited address; `undefined` for the first owner, who names their own. */
  readonly email: string | undefined;
}

/** Accepts an invitation, and signs the person in. */
export function JoinForm({ token, email: invited }: JoinFormProps): ReactElement {
  const router = useRouter();
  const queryClient = useQueryClient();
  const join = useMutation({
    mutationFn: async ({ email, name, password }: Given): Promise<DashboardSession | undefined> => {
      await answerOf(api.POST("/api/v1/invitations/accept", { body: { token, email, name, password } }));
      const body = { email, password, answerWith: "cookie" } as const;
      // The account exists from here on, also if the sign-in fails.
      return await answerOf(api.POST("/api/v1/session", { body })).then(sessionOf, () => undefined);
    },
    onSuccess: async (session) => {
      if (session === undefined) return;
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      announceSession(session.person.email);
      await router.navigate({ to: "/", replace: true });
    },
  });
  const problems = fieldProblems(join.error, ["/email", "/name", "/password"]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (join.isError) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [join.isError]);

  if (join.isSuccess && join.data === undefined) {
    return (
      <p role="status">
        Your account was created. <Link to="/sign-in">Sign in</Link> with your password.
      </p>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string): string => formText(given, name);
    join.mutate({ email: invited ?? text("email"), name: text("name"), password: text("password") });
  };
  return (
    <form ref={form} className="flex flex-col gap-4" onSubmit={submit}>
      {problems.rest !== null && <JoinProblem error={problems.rest} />}
      {invited === undefined ? (
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
          problem={problems.of("/email")}
        />
      ) : (
        <TextField label="E-mail" value={invited} readOnly autoComplete="username" />
      )}
      <TextField
        label="Your name"
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        autoFocus={invited !== undefined}
        problem={problems.of("/name")}
      />
      <NewPasswordField label="Password" name="password" problem={problems.of("/password")} />
      <Button type="submit" variant="primary" busyLabel={join.isPending ? "Creating …" : undefined}>
        Create account
      </Button>
    </form>
  );
}

/** Why the account was not created. The answer to an attempt that succeeded may have been lost. */
function JoinProblem({ error }: { readonly error: unknown }): ReactElement {
  if (!hasCode(error, "invitation_not_found")) return <Problem error={error} />;
  return (
    <Alert>
      <p>This link was used or has expired.</p>
      <p className="font-normal text-text">
        If you have just created your account, <Link to="/sign-in">sign in</Link>.
      </p>
    </Alert>
  );
}
