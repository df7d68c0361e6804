import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import { Eye, EyeOff } from "lucide-react";
import { useState, type FormEvent, type ReactElement } from "react";
import { ApiError, hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { AccessRole, Environment } from "../api/models.ts";
import { environmentNames } from "../shell/environment.ts";
import { sessionOf, sessionQuery } from "../shell/session.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { Card } from "./card.tsx";
import { formText } from "../forms/form-text.ts";

/** Creates the account of an invited person, or of the first owner. The link has its token in the fragment. */
export function JoinPage({ isSetUp }: { readonly isSetUp: boolean }): ReactElement {
  const [token] = useState(() => location.hash.slice(1));
  const router = useRouter();
  const queryClient = useQueryClient();
  const [isShown, setShown] = useState(false);
  const heading = isSetUp ? "Set up Procedo" : "Join Procedo";
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => answerOf(api.POST("/api/v1/invitations/look-up", { body: { token } })),
    enabled: token !== "",
    retry: false,
  });
  const join = useMutation({
    mutationFn: async (given: { readonly email: string; readonly name: string; readonly password: string }) => {
      const { email, name, password } = given;
      await answerOf(api.POST("/api/v1/invitations/accept", { body: { token, email, name, password } }));
      return await answerOf(api.POST("/api/v1/session", { body: { email, password, answerWith: "cookie" } }));
    },
    onSuccess: async (session) => {
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, sessionOf(session));
      await router.navigate({ to: "/", replace: true });
    },
  });

  if (token === "" || hasCode(invitation.error, "invitation_not_found", "invalid_input")) {
    return (
      <Card heading={heading}>
        <Alert>This link was used or has expired.</Alert>
        <p>
          {isSetUp
            ? "Start the service again: it prints a new link."
            : "Ask the person who invited you for a new link."}
        </p>
        <p>
          If you have an account, <Link to="/sign-in">sign in</Link>.
        </p>
      </Card>
    );
  }
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const email = invitation.data?.email ?? formText(form, "email");
    join.mutate({ email, name: formText(form, "name"), password: formText(form, "password") });
  };
  const problems = new Map(
    join.error instanceof ApiError ? join.error.details.map(({ path, message }) => [path, message]) : [],
  );
  return (
    <Card heading={heading}>
      {invitation.error !== null && <Problem error={invitation.error} onRetry={() => void invitation.refetch()} />}
      {join.error !== null && problems.size === 0 && <Problem error={join.error} />}
      {invitation.data !== undefined && (
        <>
          <p className="text-text-2">{accessSentence(invitation.data.access, isSetUp)}</p>
          <form className="flex flex-col gap-4" onSubmit={submit}>
            {invitation.data.email === undefined ? (
              <TextField
                label="E-mail"
                name="email"
                type="email"
                autoComplete="username"
                required
                problem={sentence(problems.get("/email"))}
              />
            ) : (
              <TextField label="E-mail" value={invitation.data.email} readOnly autoComplete="username" />
            )}
            <TextField
              label="Your name"
              name="name"
              autoComplete="name"
              required
              maxLength={200}
              problem={sentence(problems.get("/name"))}
            />
            <div className="flex items-start gap-2">
              <TextField
                className="flex-1"
                label="Password"
                name="password"
                type={isShown ? "text" : "password"}
                autoComplete="new-password"
                required
                minLength={12}
                maxLength={128}
                hint="At least 12 characters."
                problem={sentence(problems.get("/password"))}
              />
              <IconButton
                className="mt-7"
                icon={isShown ? EyeOff : Eye}
                label={isShown ? "Hide password" : "Show password"}
                onClick={() => setShown(!isShown)}
              />
            </div>
            <Button type="submit" variant="primary" busyLabel={join.isPending ? "Creating …" : undefined}>
              Create account
            </Button>
          </form>
        </>
      )}
    </Card>
  );
}

function sentence(message: string | undefined): string | undefined {
  return message === undefined ? undefined : `This field ${message}.`;
}

const meanings: Readonly<Record<AccessRole, string>> = {
  viewer: "see runs, reviews and procedures",
  reviewer: "decide reviews",
  builder: "build procedures and start runs",
  owner: "build procedures, start runs and invite people",
};

/** What the invited person may do, in words. */
function accessSentence(access: Readonly<Record<Environment, readonly AccessRole[]>>, isSetUp: boolean): string {
  if (isSetUp) return "You become the owner: you build procedures, start runs and invite the others.";
  const parts = (["sandbox", "live"] as const)
    .filter((environment) => access[environment].length > 0)
    .map((environment) => {
      const all = access[environment].map((role) => meanings[role]).join(", and ");
      return `in ${environmentNames[environment]} you may ${all}`;
    });
  const text = parts.join("; ");
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
