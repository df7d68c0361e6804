import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { fieldProblems } from "../api/field-problems.ts";
import { sessionOf, sessionQuery, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { NewPasswordField } from "../ui/password-field.tsx";
import { Problem } from "../ui/problem.tsx";

/** Changes the password, which ends the person's other sessions. */
export function PasswordForm(): ReactElement {
  const { person } = useSession();
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useMutation({
    mutationFn: () => answerOf(api.PUT("/api/v1/session/password", { body: { current, next } })),
    onSuccess: async (session) => {
      setCurrent("");
      setNext("");
      queryClient.setQueryData(sessionQuery.queryKey, sessionOf(session));
      await queryClient.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  const problems = fieldProblems(change.error, ["/current", "/next"]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <input type="hidden" autoComplete="username" value={person.email} readOnly />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
        problem={problems.of("/current")}
      />
      <NewPasswordField
        label="New password"
        hint="At least 12 characters. Your other sessions end."
        value={next}
        onChange={({ target }) => setNext(target.value)}
        problem={problems.of("/next")}
      />
      {problems.rest !== null && <Problem error={problems.rest} />}
      <Button type="submit" className="self-start" busyLabel={change.isPending ? "Changing …" : undefined}>
        Change password
      </Button>
      <p role="status" className="font-medium text-completed empty:hidden">
        {change.isSuccess ? "The password was changed. Your other sessions have ended." : ""}
      </p>
    </form>
  );
}
