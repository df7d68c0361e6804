import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useState, type ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { Alert } from "../ui/problem.tsx";
import { openDraft, restoreDraft } from "./draft/draft-state.ts";
import { dropCopy, leftCopies, type CopyOwner, type KeptCopy } from "./draft/kept-copies.ts";
import { openEditors } from "./draft/open-editors.ts";
import { editedProcedure, type EditedProcedure } from "./draft/read-draft.ts";
import { EditorWorkspace } from "./editor-workspace.tsx";
import type { OpenedWork } from "./use-editor.ts";
import { BackToProcedure } from "./views/back-to-procedure.tsx";
import { KeptChoice } from "./views/kept-choice.tsx";

const route = getRouteApi("/signed-in/$environment/procedures/$procedureId/edit");

/** The editor of a procedure: its draft, which is saved while the person works. */
export function EditorPage(): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const { procedureId } = route.useParams();
  const mayEdit = hasAbility(session, environment, "manage");
  const found = useQuery({ ...editedProcedure(environment, procedureId), enabled: mayEdit });
  const name = found.data?.procedure.name ?? procedureId;
  if (!mayEdit) {
    return (
      <Page heading={procedureId} subtitle={<BackToProcedure procedureId={procedureId} />}>
        <Alert tone="review">{mayNotManage("procedures", environment)}</Alert>
      </Page>
    );
  }
  if (found.data === undefined) {
    return (
      <Page
        heading={name}
        subtitle={<BackToProcedure procedureId={procedureId} />}
        isLoading={found.isPending}
        error={found.error}
        onRetry={() => void found.refetch()}
      />
    );
  }
  return <OpenedDraft key={`${environment}/${procedureId}`} edited={found.data} />;
}

/** Begins with the draft of the service, after a choice about work that an earlier page did not save. */
function OpenedDraft({ edited }: { readonly edited: EditedProcedure }): ReactElement {
  const session = useSession();
  const { procedure, stored } = edited;
  const { procedureId, name } = procedure;
  const owner: CopyOwner = { procedureId, person: session.person.id };
  const [copies, setCopies] = useState<readonly KeptCopy[]>();
  const [opened, setOpened] = useState<OpenedWork & { readonly from?: KeptCopy }>();
  const { person } = owner;
  useEffect(() => {
    let isOver = false;
    void openEditors().then((open) => {
      const left = leftCopies(localStorage, { procedureId, person }, open);
      const isStored = (copy: KeptCopy): boolean =>
        restoreDraft(copy, stored).sync.kind === "saved" && Object.keys(copy.texts).length === 0;
      // Their save had arrived after all.
      for (const { id } of left.filter(isStored)) dropCopy(localStorage, procedureId, id);
      if (!isOver) setCopies(left.filter((copy) => !isStored(copy)));
    });
    return () => {
      isOver = true;
    };
  }, [procedureId, person, stored]);
  // The editor that took up the work keeps a copy of its own by now.
  const taken = opened?.from?.id;
  useEffect(() => {
    if (taken !== undefined) dropCopy(localStorage, procedureId, taken);
  }, [taken, procedureId]);
  const [copy] = copies ?? [];
  if (opened === undefined && copies !== undefined && copy === undefined)
    setOpened({ draft: openDraft(stored), texts: {} });
  if (opened !== undefined) {
    return <EditorWorkspace procedure={procedure} stored={stored} opened={opened} owner={owner} />;
  }
  const leave = (from: KeptCopy): void => {
    dropCopy(localStorage, procedureId, from.id);
    setCopies((all) => all?.filter(({ id }) => id !== from.id));
  };
  return (
    <Page heading={name} subtitle={<BackToProcedure procedureId={procedureId} />} isLoading={copies === undefined}>
      {copy !== undefined && (
        <KeptChoice
          key={copy.id}
          copy={copy}
          procedureId={procedureId}
          onRestore={() => setOpened({ draft: restoreDraft(copy, stored), texts: copy.texts, from: copy })}
          onDiscard={() => leave(copy)}
        />
      )}
    </Page>
  );
}
