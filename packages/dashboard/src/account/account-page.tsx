import type { ReactElement } from "react";
import { Page } from "../shell/page.tsx";
import { useSession } from "../shell/session.ts";
import { Section } from "../ui/section.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { AccessList } from "./access-list.tsx";
import { DisplayForm } from "./display-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { SessionTable } from "./session-table.tsx";

export function AccountPage(): ReactElement {
  const { person, access } = useSession();
  return (
    <Page
      heading="Your account"
      subtitle={`${person.name} · ${person.email}`}
      actions={<CopyAsCurl request={{ path: "/api/v1/session" }} />}
    >
      <div className="grid max-w-5xl items-start gap-x-12 gap-y-8 md:grid-cols-2">
        <Section title="Your access">
          <AccessList />
        </Section>
        <Section title="Display">
          <DisplayForm />
        </Section>
        {access !== undefined && (
          <Section title="Password">
            <PasswordForm />
          </Section>
        )}
      </div>
      {access !== undefined && (
        <Section title="Sessions">
          <SessionTable />
        </Section>
      )}
    </Page>
  );
}
