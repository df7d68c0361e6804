// Written by `pnpm docs:update` from the OpenAPI document of the service.

export interface paths {
    "/v1/procedures/{procedureId}/{environment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a procedure
         * @description In the mode `async`, the answer confirms that the run is durable. In the mode `sync`, the request is held open until the run ends, the run pauses for a review, or the timeout passes. The run continues in any case, even if the caller disconnects. Deleting the key ends the wait with a 401; the run still continues. An `Idempotency-Key` belongs to the person who used it first, across all API keys of that person. Use by another person is answered with 409 and the code `idempotency_conflict`.
         */
        post: operations["startRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Poll a run
         * @description The current state of the run, at the address in `statusUrl`. The cost of a poll without steps does not grow with the run. The request of a session need not name the environment: it is that of the run.
         */
        get: operations["pollRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures/{procedureId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a procedure, at the address of the API
         * @description Body, answers and effects are those of `POST /v1/procedures/:procedureId/:environment`, whose address may be on another origin. An `Idempotency-Key` is the same key at both addresses. The run's record says that it was started by hand: its `trigger` is `manual`.
         */
        post: operations["createRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Newest first. With `q`, the run with this id comes first; the others are sorted by reference, the last one first. A page examines a bounded number of runs: with filters, it may be short or even empty although it has a `nextCursor`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a run */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/steps/{nodeId}/{visit}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one step of a run
         * @description One visit of a node in full: its input, its output, and how the output was produced.
         */
        get: operations["getRunStep"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run
         * @description The run ends as `failed`. A call in progress is finished first.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runs/{runId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a run's signed record
         * @description The complete, signed record of the run. An auditor with the public key can verify it offline.
         */
        get: operations["exportRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reviews
         * @description Oldest first. `status=open` lists the reviews that wait for a decision. With `q`, reviews that were found by an id come first; the others are sorted by reference, the last one first. A page examines a bounded number of reviews: with filters, it may be short or even empty although it has a `nextCursor`.
         */
        get: operations["listReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reviews/{reviewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a review
         * @description The review exactly as reviewers see it, with the decisions so far.
         */
        get: operations["getReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runner-proxy/review/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a review decision
         * @description Decides the review that the run waits for. Repeating the `idempotencyKey` for the same run gets the answer to the original decision, regardless of the body. Use by another person is answered with 409 and the code `idempotency_conflict`. The request of a session need not name the environment: it is that of the run.
         */
        post: operations["decideReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List procedures
         * @description Procedures belong to the workspace. Both environments share them; each environment has its own default version and numbers. A page examines a bounded number of procedures and of discarded drafts: it may be short or even empty although it has a `nextCursor`.
         */
        get: operations["listProcedures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures/{procedureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a procedure */
        get: operations["getProcedure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures/{procedureId}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a draft
         * @description A procedure has one draft. A draft with problems is saved too; the answer lists the problems.
         */
        put: operations["saveDraft"];
        post?: never;
        /**
         * Discard the draft
         * @description Versions stay. A procedure without versions then no longer exists.
         */
        delete: operations["discardDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures/{procedureId}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a document
         * @description Reports the problems that publishing the document in the key's environment would report. Nothing is saved.
         */
        post: operations["validateProcedure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures/{procedureId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a procedure's versions
         * @description Newest first.
         */
        get: operations["listVersions"];
        put?: never;
        /**
         * Publish a version
         * @description A published version is immutable: its name cannot be used again.
         */
        post: operations["publishVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures/{procedureId}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a version */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedures/{procedureId}/defaults/{environment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose the default version
         * @description Runs that name no version use the default version. The connections of that version in the environment are checked first.
         */
        put: operations["setDefault"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List triggers
         * @description A page examines a bounded number of triggers: with filters, it may be short or even empty although it has a `nextCursor`.
         */
        get: operations["listTriggers"];
        put?: never;
        /**
         * Create a trigger
         * @description The trigger is active at once. Its runs start for the person who last changed it, and need that person's permission `run` each time.
         */
        post: operations["createTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a trigger
         * @description The next five times of a schedule, each in its zone, with the reason where one is shifted. With a `mapping`, also the input that it makes of an event. Nothing is stored or started.
         */
        post: operations["previewTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a trigger */
        get: operations["getTrigger"];
        put?: never;
        post?: never;
        /**
         * Delete a trigger
         * @description Firings that have not started yet start no runs any more. Open runs continue.
         */
        delete: operations["deleteTrigger"];
        options?: never;
        head?: never;
        /**
         * Change a trigger
         * @description Named fields are replaced. All others stay unchanged. A changed schedule counts from now: no time of the former one fires after the answer. The address and the secret of a webhook trigger stay.
         */
        patch: operations["updateTrigger"];
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a trigger's mapping
         * @description Evaluates `when` and `input` for an event, or for that of an earlier firing. It starts and stores nothing.
         */
        post: operations["testTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a trigger
         * @description Times of a schedule that pass meanwhile fire neither then nor later; the firings record their number. Events are skipped, or wait until the trigger is resumed.
         */
        post: operations["pauseTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a trigger */
        post: operations["resumeTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a trigger now
         * @description Also while the trigger is paused, and beside open runs, under any overlap. The run starts for the caller. A repeated `Idempotency-Key` is the same firing; with another event, other data or by another person, it is refused.
         */
        post: operations["fireTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a trigger for a past period
         * @description Fires the times of a schedule, or the events that the service lists, at most 100. Those that were accounted for are left out, so that a repeated request fires none twice. Several times need the overlap `queue` or `allow`. A request counts as a change of the trigger: its runs start for the person who asked. A paused trigger that skips events is refused.
         */
        post: operations["backfillTrigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a webhook trigger's secret
         * @description The old secret is accepted for another 24 hours, also when the secret is replaced again. At most five old ones are accepted.
         */
        post: operations["rotateTriggerSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/firings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a trigger's firings
         * @description Newest first. Each occurrence is accounted for: it started a run, or its firing has the reason why not. A page examines a bounded number of firings: with filters, it may be short or even empty although it has a `nextCursor`.
         */
        get: operations["listFirings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/firings/{firingId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a firing */
        get: operations["getFiring"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/triggers/{triggerId}/firings/{firingId}/refire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire the event of a firing again
         * @description For a firing that was skipped or failed: a new firing of the same event, by the mapping as it is now. The answer to a repeated request has the same firing, unless that was skipped or failed. An `Idempotency-Key` asks for a firing of its own; a repeated one is the same firing, and that of another person is refused.
         */
        post: operations["refire"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List integrations
         * @description The integrations for which connections can be created, with the fields of a form.
         */
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an integration */
        get: operations["getIntegration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actions of all connections
         * @description Without schemas, in a fixed order of the connections. Documents are read as the pages reach their connections: a page covers at most 10 connections, and may be empty although it has a `nextCursor`.
         */
        get: operations["listCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connections */
        get: operations["listConnections"];
        put?: never;
        /**
         * Create a connection
         * @description A document given by its URL is fetched once, during this request. The body may have up to 25 MiB. For a private connection, the answer shows a token for each environment that the caller may manage: a key gets the one of its own environment.
         */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a document
         * @description The actions that a Custom API connection would get from the document. Nothing is saved. For a document that would be refused, the answer has no actions and lists the problems.
         */
        post: operations["previewConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a connection */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Delete a connection
         * @description Deleting a private connection with tokens in both environments requires permission to manage both environments.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /**
         * Change a connection
         * @description Each named setting or secret is replaced, or removed by `null`. All others stay unchanged. A document that names a different server takes effect, but no request is sent until `settings.baseUrl` is set.
         */
        patch: operations["updateConnection"];
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a change of a connection
         * @description The changes of its actions that an update would make, and the procedures that they concern. Nothing is saved. A document given by its URL is fetched, and fetched again by the update.
         */
        post: operations["previewChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a connection
         * @description Sends one harmless request with the connection's credentials.
         */
        post: operations["testConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin the authorization of a connection
         * @description Answers a page of the application, which the person opens in a browser within 10 minutes, once. It leads to the service, where the person authorizes the connection, and back to the application.
         */
        post: operations["startAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/oauth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the tokens of a connection
         * @description Asks the authorization server for new tokens now. They are renewed in time without it.
         */
        post: operations["refreshAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the authorization of a connection
         * @description Removes the tokens, and asks the authorization server to revoke them. Runs that need them wait until a person authorizes the connection again.
         */
        delete: operations["removeAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/start/{ticket}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the authorization of a connection
         * @description For browsers: the page of `POST connections/:connectionId/oauth/start`. Redirects to the service, and sets a cookie of 10 minutes. An error is a page.
         */
        get: operations["openAuthorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish the authorization of a connection
         * @description For browsers: the redirect URI of OAuth clients. Stores the tokens, and redirects to `returnTo` of the start, or answers a page. Runs that wait for the connection go on. An error is a page.
         */
        get: operations["finishAuthorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a connection's actions
         * @description In the order of the connection's document. A page with large schemas may hold fewer actions.
         */
        get: operations["listActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/actions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an action of a connection
         * @description By its name or a former name.
         */
        get: operations["getAction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/private-connection/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the status of a private connection's clients */
        get: operations["getPrivateConnectionStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/private-connection/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a private connection's clients
         * @description The clients of one environment that have polled within the last day, and their functions.
         */
        get: operations["listPrivateConnectionClients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/connections/{connectionId}/private-connection/tokens/{environment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or replace a private connection's token
         * @description The first token of an environment makes the connection available to the procedures of that environment. The previous token becomes invalid at once, also for open polls. The new token is shown in this answer only.
         */
        post: operations["regenerateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sdk/functions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Register the functions of a client
         * @description Clients of several versions may run side by side. Each client receives only calls of the functions that it registered.
         */
        put: operations["registerFunctions"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sdk/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Wait for calls
         * @description The request is held for up to 25 s while there is no call. Each call is leased to this client for 60 s; without a heartbeat in that time, the call goes to another client. `HEAD` is not supported.
         */
        get: operations["pollInvocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sdk/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extend leases
         * @description Extends each lease to 60 s from now. The first heartbeat of a call acknowledges the call. A function that is not idempotent may be called only after the first heartbeat was answered.
         */
        post: operations["extendLeases"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sdk/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a call's result
         * @description Up to 8 MiB. A repeated result gets the same answer. A number with more digits than a double can hold is stored as a string with all its digits.
         */
        post: operations["postResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sdk/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the results of several calls
         * @description Results of up to 32 calls, together up to 8 MiB. Each result is settled as if it were sent alone. The refusal of one result is final and does not affect the others. After an answer other than 200, the outcome of each result is unknown: send the results again, together or one by one. A repeated result gets the same answer.
         */
        post: operations["postResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /** Create a webhook */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete a webhook */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Named fields are replaced. All others stay unchanged. Events that occur while the webhook is inactive are recorded as `skipped` deliveries. To send these, activate the webhook and resend its deliveries.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a webhook's secret */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event
         * @description Sends one sample event to this webhook only, even if the webhook is inactive.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries
         * @description Newest first. A page examines a bounded number of deliveries: with filters, it may be short or even empty although it has a `nextCursor`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description The delivery with the body of its requests and its attempts.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description Sends the delivery at once, under the same id, even if the webhook is inactive.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhookId}/deliveries/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all undelivered events since a time again
         * @description Resends failed and skipped deliveries, oldest first, each under the same id and with the full schedule of attempts. One request examines 5,000 deliveries and returns a `nextCursor` while more remain. Repeating the request sends no delivery twice. The request is refused while the webhook is inactive.
         */
        post: operations["resendDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/in/v1/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive events of another service
         * @description The address belongs to a connection or to a webhook trigger, which also defines the signature. The body has up to 1 MiB, in the form of the service. An event is stored before its request is answered; the same event again is answered alike, and starts nothing. Up to 100 requests per second are accepted for an address, with a burst of 500. A sender of 20 wrong signatures within a minute is slowed down to 1 per second at that address, and a sender to 20 unknown addresses at every address that is not known to exist.
         */
        post: operations["receiveEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description All keys of the workspace, in both environments, or those of the environment that the query names. Raw keys are never shown. The last use of a key is shown to callers of its environment.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description A caller can grant only permissions and roles that it has, and only in the environment of the request.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Deletion is permanent. Requests with the key are answered with 401 from now on, including those that wait for a run. Answers being sent are cut off. A request whose changes the service is already writing is still answered.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the ways to sign in */
        get: operations["getSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the session of the request */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description Begins a session of 7 days, which ends after 12 hours without a request. An unknown address and a wrong password get the same answer after the same time. After 5 failures for an e-mail address, each further attempt has to wait; attempts in that time are answered with 429.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session of the request, and removes its cookie.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the password
         * @description Ends all sessions of the person, this one included, and begins a new one. Its token is sent as that of the request was: as a cookie, or in `token`.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the own sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all other sessions of the person */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session of the person */
        delete: operations["endOneSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in at an identity provider
         * @description For browsers: redirects to the provider, one of those that `GET sign-in` names, and sets a cookie of 10 minutes. If the provider cannot be reached, redirects to `/dashboard/sign-in?error=unavailable`, as for any other failure, with the path to return to in `to`.
         */
        get: operations["startOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/oidc/{id}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish a sign-in at an identity provider
         * @description The redirect URI of the provider's client. Begins a session in a cookie and redirects to the path of the start. The person is found by the account. For an unknown account, the open invitation of its verified e-mail address is accepted. After a failure it redirects to `/dashboard/sign-in?error=` with one of `expired`, `cancelled`, `refused`, `email_unverified`, `not_invited`, `unavailable`.
         */
        get: operations["finishOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/look-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look an invitation up
         * @description An invitation that is unknown, was accepted or withdrawn, or has expired gets the same answer.
         */
        post: operations["lookUpInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Creates the person, with a password of their own. They sign in with it afterwards.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people
         * @description All people of the workspace, including those who are not active.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List open invitations */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person
         * @description The service sends no e-mail: give the link to the person in a way that you trust. The link is valid once, for 7 days. An open invitation of the same address is replaced: its link is void.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an invitation */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a person */
        get: operations["getPerson"];
        put?: never;
        post?: never;
        /**
         * Deactivate a person
         * @description Ends the sessions of the person, who cannot sign in any more. API keys that act as the person are refused from now on, or are deleted. Records keep naming the person.
         */
        delete: operations["deactivatePerson"];
        options?: never;
        head?: never;
        /**
         * Change a person
         * @description Named fields are replaced. All others stay unchanged. A change of access or groups ends the sessions of the person. The last owner of both environments stays one.
         */
        patch: operations["updatePerson"];
        trace?: never;
    };
    "/api/v1/people/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End all sessions of a person
         * @description The person stays active, and signs in again.
         */
        delete: operations["endSessionsOfPerson"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of the workspace
         * @description Newest first: published versions, discarded drafts, and changes of the environment's connections, webhooks and API keys. Changes of people are shown to owners. A page examines a bounded number of entries: it may be short or even empty although it has a `nextCursor`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how the service is set up
         * @description Its version, addresses and limits, and the process that answered. Runs are kept until they are archived by the command `procedo archive`.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an environment in numbers
         * @description The number of things that call for a person, the runs of the last seven days, and the busiest procedures. `GET runs?attention=true` lists the runs of `reviewsOpen` and `failedLast24h`.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes
         * @description Server-sent events for pages that show the present state. Each event `changed` names something to read again: `{"kind":"run","id":"run_…"}`. The kinds are `run`, `review`, `delivery`, `connection`, `procedure`, `webhook`, `key` and `person`; without an `id`, anything of the kind may have changed, as after more than 50 changes of a kind within 250 ms. The kind `resync` means that everything that is shown is to be read again: after a gap, and at most once in 2 s while another node writes, of whose work only parked and ended runs, decisions that continue them and changed settings are named at once. The stream of one environment names nothing of the other one. It ends with the key or session, which it does not prolong, when the service is stopped, and after an hour. To go on without a gap, send the last `id` as `Last-Event-ID`, as browsers do.
         */
        get: operations["followChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the OpenAPI document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/procedure.schema.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the JSON Schema of procedure documents
         * @description For editors, which complete and check documents whose `$schema` is this address.
         */
        get: operations["getProcedureSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/public-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public key of audit exports
         * @description Verifies exports and checkpoints. An auditor compares it with a copy that did not come from this address.
         */
        get: operations["getAuditPublicKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process answers */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that requests can be served */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptInvitationRequest: {
            /** @description The token of the invitation's link, which is the link's fragment. */
            token: string;
            /** @description Required for the first owner. Otherwise it must be the invited address, or be left out. */
            email?: string;
            /** @description The person's name, for other people. */
            name: string;
            /** @description 12 to 128 characters of any kind. Common passwords and the e-mail address are refused. */
            password: string;
        };
        /** @description Roles in each environment. A person without a role cannot access it. */
        Access: {
            sandbox: components["schemas"]["AccessRole"][];
            live: components["schemas"]["AccessRole"][];
        };
        /** @description Roles in each environment. An environment that is left out: none for an invitation, else unchanged. */
        AccessRequest: {
            sandbox?: components["schemas"]["AccessRole"][];
            live?: components["schemas"]["AccessRole"][];
        };
        /** @enum {string} */
        AccessRole: "viewer" | "reviewer" | "builder" | "owner";
        Action: {
            name: string;
            description?: string;
            /** @description JSON Schema of the arguments. */
            input: {
                [key: string]: unknown;
            };
            /** @description JSON Schema of the result, where known. */
            output?: {
                [key: string]: unknown;
            };
            /**
             * @description `read` changes nothing, `idempotent` may be repeated under its key, `once` may not.
             * @enum {string}
             */
            effect: "read" | "idempotent" | "once";
            deprecated?: boolean;
            /** @description Whether a person has to approve each call. */
            requiresReview?: boolean;
            /** @description Earlier names of the action, which tool calls may still use. */
            formerNames?: string[];
            /** @description The document's operation that it calls. */
            operation?: {
                operationId?: string;
                method: string;
                path: string;
            };
        };
        ActionPage: {
            data: components["schemas"]["Action"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        ApiKey: {
            id: string;
            name: string;
            environment: components["schemas"]["Environment"];
            /**
             * @description Prefix of the raw key.
             * @enum {string}
             */
            prefix: "rsk_sandbox_" | "rsk_live_";
            permissions: components["schemas"]["Permission"][];
            /** @description In which the key decides reviews: `reviewer` with the permission `review`, and those that it was given. */
            roles: string[];
            /** @description The person as whom the key acts. It is refused while they are not active, or have no role in its environment. */
            person: string;
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last request with the key, written within a minute of it. Left out before the first request, and for keys of another environment than that of the request.
             */
            lastUsedAt?: string;
            /** @description Network address of the sender of that request, as the service saw it. */
            lastUsedFrom?: string;
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        ApiSpec: {
            /**
             * Format: uri
             * @description Fetched when the connection is saved.
             */
            url: string;
        } | {
            /** @description The document, pasted. */
            text: string;
        };
        /** @description An entry of the workspace's chain of changes. */
        AuditEntry: {
            /** @description 1, 2, 3 … without a gap. */
            seq: number;
            /** @description Chains the row to the one before. */
            hash: string;
            /** Format: date-time */
            at: string;
            /** @description `procedure.published`, `connection.created`, `checkpoint` … */
            action: string;
            /** @description The person who made the change, or `procedo`. */
            by: string;
            /** @description The key or session with which they acted. */
            via: string;
            /** @description The changed resource. */
            subject: string;
            /** @description Facts of the change, which depend on `action`. */
            details?: unknown;
        };
        AuditExport: {
            /** @constant */
            format: "procedo-audit-1";
            /** @description JSON text of an audit statement. It travels as text, so that its bytes are those of the signature. */
            statement: string;
            /** @description Names the public key that verifies the signature. */
            keyId: string;
            /**
             * Format: base64url
             * @description Ed25519 signature of the statement's UTF-8 bytes, base64url.
             */
            signature: string;
            /** @description JSON text of the published version, byte for byte. */
            document: string;
            rows: {
                /** @description 1, 2, 3 … without a gap. */
                seq: number;
                /** @description Chains the row to the one before. */
                hash: string;
                /**
                 * Format: base64url
                 * @description SHA-256 of the body, base64url.
                 */
                digest: string;
                /** @description JSON text, byte for byte as it is stored. */
                body: string;
                /** @description The entries of the body, spelled out: with every value that the body abbreviates. */
                entries: unknown[];
            }[];
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        AuditPublicKey: {
            /** @constant */
            kty: "OKP";
            /** @constant */
            crv: "Ed25519";
            /**
             * Format: base64url
             * @description The public key, base64url.
             */
            x: string;
            /**
             * Format: base64url
             * @description Thumbprint of the key (RFC 7638); signed statements name it as `keyId`.
             */
            kid: string;
        };
        AuthorizationWait: {
            /** @description Name of the connection. */
            connection: string;
            connectionId: string;
            /** @description Why the call cannot be made. */
            reason: string;
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description When the wait ends without an authorization.
             */
            until: string;
        };
        BackfillTriggerRequest: {
            /**
             * Format: date-time
             * @description Earliest time.
             */
            from: string;
            /**
             * Format: date-time
             * @description Latest time, exclusive.
             */
            to: string;
        };
        BackfilledTrigger: {
            /** @description Number of new firings. */
            added: number;
            /** @description Number of times or events that were accounted for before. */
            known: number;
        };
        CancelRunRequest: {
            /** @description Kept in the run's record. */
            reason?: string;
        };
        CatalogueAction: {
            connection: string;
            /** @description The integration's id, such as `custom_api`. */
            integration: string;
            name: string;
            description?: string;
            /**
             * @description `read` changes nothing, `idempotent` may be repeated under its key, `once` may not.
             * @enum {string}
             */
            effect: "read" | "idempotent" | "once";
            deprecated?: boolean;
            /** @description Whether a person has to approve each call. */
            requiresReview?: boolean;
            /** @description Earlier names of the action, which tool calls may still use. */
            formerNames?: string[];
        };
        CatalogueActionPage: {
            data: components["schemas"]["CatalogueAction"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        /**
         * @description What becomes of times that passed while the service was down. `none`: they are recorded as missed. `latest`: the newest one fires. `all`: each fires, oldest first, at most 100.
         * @enum {string}
         */
        CatchUp: "none" | "latest" | "all";
        ChangePasswordRequest: {
            current: string;
            /** @description 12 to 128 characters of any kind. Common passwords and the e-mail address are refused. */
            next: string;
        };
        ChangePreview: {
            /** @description Parts of the document that were omitted, with the reason; only if a document was read. */
            problems?: components["schemas"]["Problem"][];
            /** @description Of its actions, when any. */
            changes?: components["schemas"]["ConnectionChanges"];
            /** @description The server of the new document, when no request would be sent until `settings.baseUrl` confirms it. */
            unconfirmedBaseUrl?: string;
        };
        /**
         * Condition
         * @description Takes one of several branches, by expressions or by an agent's answer to a question.
         */
        ConditionNode: {
            /** @description Identifier within the document; expressions read the node as `nodes.<id>`. */
            id: string;
            /**
             * @description Takes one of several branches, by expressions or by an agent's answer to a question.
             * @constant
             */
            kind: "condition";
            /** @description Title for people: of the node or, on a human review, of its question, there with `{{ }}` expressions. */
            title?: string;
            /** @description Asked of an agent, which answers with the name of a branch; each branch then has a `description` in place of `when`. */
            question?: string;
            /** @description The ways on, in the order in which they are tried. */
            branches: {
                /** @description A name that edges lead on from. */
                name: string;
                /** @description A CEL expression; the first branch for which it is true is taken. */
                when?: string;
                /** @description Tells the agent when to choose the branch. */
                description?: string;
            }[];
            /** @description The branch that is taken when no condition is true; needed without a `question`. */
            otherwise?: string;
            /** @description The required confidence of the agent's answer; needs `question`. Default: any answer counts. */
            confidence?: {
                /** @description From 0 to 1. */
                atLeast: number;
                /**
                 * @description The consequence of an answer with a lower confidence: a person decides, or the node fails.
                 * @enum {string}
                 */
                otherwise: "review" | "fail";
            };
            /** @description The reviewers of an answer with a lower confidence; needs `confidence` with `"otherwise": "review"`. */
            review?: {
                /** @description Who may decide. Default: everyone with the permission to review. */
                reviewers?: {
                    /** @description Roles that may decide. */
                    roles?: string[];
                    /** @description People who may decide. */
                    people?: string[];
                };
                /** @description How many different people have to approve. Default: 1. */
                approvals?: number;
                /** @description Whether the person who started the run may not decide. Default: false. */
                excludeStarter?: boolean;
                /** @description Human reviews that come before: a person who approved one of them in this run may not decide here. */
                excludeApproversOf?: string[];
            };
            /** @description Limits of the agent in one visit; needs `question`. */
            budget?: {
                /** @description Calls of the language model. Default: the limit of the run. */
                modelCalls?: number;
                /** @description Tokens of prompts and answers together. Default: the limit of the run. */
                tokens?: number;
            };
        };
        Connection: {
            id: string;
            name: string;
            /** @description The integration's id, such as `custom_api`. */
            integration: string;
            /** @description Left out of a private connection. */
            environment?: components["schemas"]["Environment"];
            health: components["schemas"]["ConnectionHealth"];
            /** @description Omitted unless it is authorized by OAuth. */
            oauth?: components["schemas"]["ConnectionOAuth"];
            /** @description Of a private connection: the environments in which it has a token. Omitted for the others. */
            tokenEnvironments?: components["schemas"]["Environment"][];
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its name, settings or secrets were last changed.
             */
            updatedAt: string;
            settings: {
                [key: string]: unknown;
            };
            /** @description Which secrets are set. */
            secretNames: string[];
            /** @description Default versions and drafts that name it. */
            usedBy: components["schemas"]["ConnectionUse"][];
            /** @description Omitted unless its service sends events. */
            inbound?: {
                /**
                 * Format: uri
                 * @description The address to which the other service sends its requests.
                 */
                url: string;
                /**
                 * Format: date-time
                 * @description Time of the last verified request, to the minute; omitted if there was none.
                 */
                lastReceivedAt?: string;
                /** @description Refused requests of the last 24 hours, as the answering process counted them since its start. */
                refusedLast24h: number;
                /** @description Types of event that triggers can choose. */
                events: string[];
            };
            /** @description The document's text, with `?include=spec`. */
            spec?: string;
        };
        ConnectionChanges: {
            added: string[];
            /** @description Other arguments, result, effect or address. */
            changed: string[];
            deprecated: string[];
            /** @description Actions with the same method and path under a new name. Calls by the former name still work. */
            renamed: {
                from: string;
                to: string;
            }[];
            removed: string[];
            /** @description Default versions and drafts with calls that are concerned. */
            usedBy: components["schemas"]["ConnectionUse"][];
        };
        ConnectionHealth: {
            /**
             * @description `failing`: it could not be reached, or its credentials were refused. `unconfirmed`: a changed document names another server, and nothing is sent until `settings.baseUrl` is set. `needs_authorization`: a person has to authorize the connection, and runs that call it wait.
             * @enum {string}
             */
            status: "unknown" | "ok" | "failing" | "unconfirmed" | "needs_authorization";
            /**
             * Format: date-time
             * @description The time of the latest change of `status`; omitted while it is `unknown`.
             */
            checkedAt?: string;
            /** @description The reason, unless the connection is healthy. */
            message?: string;
        };
        ConnectionOAuth: {
            /**
             * @description `authorization_code`: a person authorizes the connection in a browser. `client_credentials`: the client itself is authorized.
             * @enum {string}
             */
            grant: "authorization_code" | "client_credentials";
            /**
             * @description `not_connected`: there are no tokens yet. `needs_authorization`: the authorization has ended, and runs that need it wait until a person authorizes the connection again.
             * @enum {string}
             */
            status: "not_connected" | "connected" | "needs_authorization";
            /** @description The authorized account, where the service names it. */
            account?: {
                /** @description The service's id of it. */
                id: string;
                /** @description Name for people. */
                name: string;
            };
            /** @description The scopes that the next authorization asks for. */
            scopesAsked: string[];
            /** @description Omitted while there are no tokens. */
            scopesGranted?: string[];
            /**
             * Format: date-time
             * @description The time of the latest authorization.
             */
            connectedAt?: string;
            /** @description The person who authorized the connection. */
            connectedBy?: string;
            /**
             * Format: date-time
             * @description When the access token ends; omitted if the server named no time. It is renewed before.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description When the tokens were last renewed.
             */
            refreshedAt?: string;
            /** @description The latest attempt to renew the tokens, if it failed. */
            lastFailure?: {
                /** Format: date-time */
                at: string;
                message: string;
            };
        };
        ConnectionPage: {
            data: components["schemas"]["ListedConnection"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        ConnectionPreview: {
            /** @description Of the document; omitted if the document is refused. */
            title?: string;
            /** @description Of the document; omitted if the document is refused. */
            version?: string;
            /** @description The document's first server, if it names one. */
            baseUrl?: string;
            /** @description Total number of actions. The answer shows only the first ones. */
            actionCount: number;
            /** @description One for each operation; none if the document is refused. */
            actions: components["schemas"]["Action"][];
            /** @description Parts of the document that are invalid or omitted. */
            problems: components["schemas"]["Problem"][];
        };
        ConnectionTest: {
            /** @constant */
            ok: true;
            /** @description The account of the credentials, where the service names it. */
            account?: {
                /** @description The service's id of it. */
                id: string;
                /** @description Name for people. */
                name: string;
            };
        } | {
            /** @constant */
            ok: false;
            error: string;
        };
        ConnectionUse: {
            procedureId: string;
            /** @description The default version; omitted for the draft. */
            version?: string;
            /** @description Its tool calls. */
            nodeIds: string[];
        };
        CreateApiKeyRequest: {
            /** @description Label for people. */
            name: string;
            /** @description Cannot be changed later. */
            environment: components["schemas"]["Environment"];
            /**
             * @description Permissions of the key beside reading, at most those of its maker.
             * @default [
             *       "run",
             *       "manage"
             *     ]
             */
            permissions?: components["schemas"]["Permission"][];
            /**
             * @description Roles in which the key decides reviews, beside `reviewer`; none that its maker lacks. They need the permission `review`.
             * @default []
             */
            roles?: string[];
        };
        CreateConnectionRequest: {
            name: string;
            /** @description The integration's id, such as `custom_api`. */
            integration: string;
            /** @description Left out of a private connection, which both environments may use. */
            environment?: components["schemas"]["Environment"];
            /**
             * @description Settings of the integration, checked by its own schema.
             * @default {}
             */
            settings?: {
                [key: string]: unknown;
            };
            /**
             * @description Credentials that the integration requires. They are write-only: no answer contains them.
             * @default {}
             */
            secrets?: {
                [key: string]: string;
            };
        };
        CreateInvitationRequest: {
            /** @description E-mail address. Upper and lower case are the same. */
            email: string;
            /** @description Roles in each environment, at least one. None in an environment that is left out. */
            access: components["schemas"]["AccessRequest"];
            /**
             * @description Labels of the person, which reviews may name as roles, such as `treasury`.
             * @default []
             */
            groups?: string[];
        };
        CreateTriggerRequest: {
            /** @description Name for people; unique within the environment. */
            name: string;
            procedureId: string;
            source: components["schemas"]["GivenTriggerSource"];
            /**
             * @description The version to run. `null`: the default version of the environment when the run starts.
             * @default null
             */
            version?: string | null;
            /**
             * @description CEL expression over `event`, `headers`, `source`, `schedule` and `trigger`. A run starts only if it is true. `null`: every occurrence starts a run.
             * @default null
             */
            when?: string | null;
            /**
             * @description Template of the run's input: JSON with `{{ }}` expressions over the same roots as `when`.
             * @default {}
             */
            input?: {
                [key: string]: unknown;
            };
            /**
             * @description Default: `skip` for a schedule, `allow` for the other sources.
             * @enum {string}
             */
            overlap?: "skip" | "queue_one" | "queue" | "allow";
            /**
             * @description With `allow`: the most runs of the trigger that are open at a time; others wait. `null`: no bound.
             * @default null
             */
            maxOpenRuns?: number | null;
            /**
             * @description Pauses the trigger after this many failures in a row. `null`: never.
             * @default null
             */
            pauseAfterFailures?: number | null;
        };
        CreateWebhookRequest: {
            /**
             * Format: uri
             * @description Receiver endpoint.
             */
            url: string;
            /** @description Subscribed event names. */
            events: components["schemas"]["EventName"][];
            /** @description Label for people. Default: the URL's host. */
            name?: string;
            /**
             * @description Whether events are delivered. While it is `false`, their deliveries are recorded as `skipped`.
             * @default true
             */
            isActive?: boolean;
        };
        CreatedApiKey: {
            id: string;
            name: string;
            environment: components["schemas"]["Environment"];
            /**
             * @description Prefix of the raw key.
             * @enum {string}
             */
            prefix: "rsk_sandbox_" | "rsk_live_";
            permissions: components["schemas"]["Permission"][];
            /** @description In which the key decides reviews: `reviewer` with the permission `review`, and those that it was given. */
            roles: string[];
            /** @description The person as whom the key acts. It is refused while they are not active, or have no role in its environment. */
            person: string;
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last request with the key, written within a minute of it. Left out before the first request, and for keys of another environment than that of the request.
             */
            lastUsedAt?: string;
            /** @description Network address of the sender of that request, as the service saw it. */
            lastUsedFrom?: string;
            /** @description The raw key, shown once. The service does not store it. */
            key: string;
        };
        CreatedConnection: {
            id: string;
            name: string;
            /** @description The integration's id, such as `custom_api`. */
            integration: string;
            /** @description Left out of a private connection. */
            environment?: components["schemas"]["Environment"];
            health: components["schemas"]["ConnectionHealth"];
            /** @description Omitted unless it is authorized by OAuth. */
            oauth?: components["schemas"]["ConnectionOAuth"];
            /** @description Of a private connection: the environments in which it has a token. Omitted for the others. */
            tokenEnvironments?: components["schemas"]["Environment"][];
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its name, settings or secrets were last changed.
             */
            updatedAt: string;
            settings: {
                [key: string]: unknown;
            };
            /** @description Which secrets are set. */
            secretNames: string[];
            /** @description Default versions and drafts that name it. */
            usedBy: components["schemas"]["ConnectionUse"][];
            /** @description Omitted unless its service sends events. */
            inbound?: {
                /**
                 * Format: uri
                 * @description The address to which the other service sends its requests.
                 */
                url: string;
                /**
                 * Format: date-time
                 * @description Time of the last verified request, to the minute; omitted if there was none.
                 */
                lastReceivedAt?: string;
                /** @description Refused requests of the last 24 hours, as the answering process counted them since its start. */
                refusedLast24h: number;
                /** @description Types of event that triggers can choose. */
                events: string[];
            };
            /** @description The document's text, with `?include=spec`. */
            spec?: string;
            /** @description Parts of the document that were omitted, with the reason; only if a document was read. */
            problems?: components["schemas"]["Problem"][];
            /** @description Of a private connection, shown once: a key gets the one of its own environment. */
            tokens?: components["schemas"]["PrivateConnectionTokens"];
        };
        CreatedInvitation: {
            id: string;
            email: string;
            access: components["schemas"]["Access"];
            groups: string[];
            /** @description E-mail address of the person who created the invitation. */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: uri
             * @description Link for the invited person, shown once. Its fragment contains the token.
             */
            link: string;
        };
        CreatedTrigger: {
            id: string;
            /** @description Name for people; unique within the environment. */
            name: string;
            environment: components["schemas"]["Environment"];
            procedureId: string;
            source: components["schemas"]["TriggerSource"];
            /** @description The version to run. `null`: the default version of the environment when the run starts. */
            version: string | null;
            /** @description CEL expression over `event`, `headers`, `source`, `schedule` and `trigger`. A run starts only if it is true. `null`: every occurrence starts a run. */
            when: string | null;
            /** @description Template of the run's input: JSON with `{{ }}` expressions over the same roots as `when`. */
            input: {
                [key: string]: unknown;
            };
            /**
             * @description What happens to an occurrence while a run of the trigger is open. `skip`: it starts no run. `queue_one`: the newest waits. `queue`: all wait, and run in order. `allow`: they run beside each other.
             * @enum {string}
             */
            overlap: "skip" | "queue_one" | "queue" | "allow";
            /** @description With `allow`: the most runs of the trigger that are open at a time; others wait. `null`: no bound. */
            maxOpenRuns: number | null;
            /** @description Pauses the trigger after this many failures in a row. `null`: never. */
            pauseAfterFailures: number | null;
            /** @enum {string} */
            state: "active" | "paused";
            /** @description Present while it is paused. */
            paused?: {
                /** Format: date-time */
                at: string;
                /** @description The person, or `procedo` after failures in a row. */
                by: string;
                reason?: string;
                /**
                 * @description `skip`: events are recorded as skipped. `hold`: they wait until the trigger is resumed.
                 * @enum {string}
                 */
                events: "skip" | "hold";
            };
            health: {
                /**
                 * @description `failing`: the newest firing or its run failed. `needs_attention`: the trigger does not fit its procedure or its connection any more, its person may not start runs, or it was paused after failures.
                 * @enum {string}
                 */
                status: "ok" | "failing" | "needs_attention";
                /** @description Counted up to 100. */
                consecutiveFailures: number;
                /**
                 * Format: date-time
                 * @description When the newest firing was stored.
                 */
                lastFiringAt?: string;
                /** @description Firings that have not started yet, counted up to 1,000. */
                waiting: number;
            };
            /** @description The next five times of an active schedule; empty otherwise. */
            next: components["schemas"]["ScheduledTime"][];
            /** @description Of a webhook trigger. */
            inbound?: {
                /**
                 * Format: uri
                 * @description The address to which the other service sends its requests.
                 */
                url: string;
                /**
                 * Format: date-time
                 * @description Time of the last verified request, to the minute; omitted if there was none.
                 */
                lastReceivedAt?: string;
                /** @description Refused requests of the last 24 hours, as the answering process counted them since its start. */
                refusedLast24h: number;
            };
            /** @description The places that do not fit any more. */
            problems: components["schemas"]["TriggerProblem"][];
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The person who last changed it. Its runs start for this person. */
            updatedBy: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Number of its changes, from 1. */
            revision: number;
            /** @description The secret of a webhook trigger's address, shown once. */
            secret?: string;
        };
        CreatedWebhook: {
            id: string;
            name: string;
            /** Format: uri */
            url: string;
            events: components["schemas"]["EventName"][];
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the webhook became inactive. Present only while it is inactive.
             */
            deactivatedAt?: string;
            /** @description Why it is inactive: the person who deactivated it, or the behaviour of its receiver. */
            deactivatedBecause?: string;
            /**
             * Format: date-time
             * @description The first failed attempt since an attempt was last accepted, or the activation or change of the address, if that was later. Present only while the webhook is failing. Attempts that a person asked for do not start it, and an accepted one ends it.
             */
            failingSince?: string;
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Signing secret, shown once. */
            secret: string;
        };
        CustomEvent: {
            /** @description Unique delivery id, kept when it is sent again: deduplicate by it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            createdAt: string;
            /** @description `custom.` and the name that the step emits. */
            event: string;
            data: {
                /** @description Identifier of the run. */
                runId: string;
                procedureId: string;
                environment: components["schemas"]["Environment"];
                /** @description Number of the event within its run, from 1: deliveries may arrive in another order. */
                sequence?: number;
                payload: {
                    [key: string]: unknown;
                };
            };
        };
        DeactivatedPerson: {
            /** @description API keys that act as the person. They are refused while the person is not active. */
            keys: components["schemas"]["ApiKey"][];
        };
        DecisionRecord: {
            decisionId: string;
            person: string;
            /** @description The key or session that the person used. */
            via: string;
            approved: boolean;
            outputs?: {
                [key: string]: unknown;
            };
            rejectionReason?: string;
            /** @description Network address from which the decision came. */
            address?: string;
            /** @description Digest of the review as the person saw it. */
            digest: string;
            /** Format: date-time */
            decidedAt: string;
        };
        Dedupe: {
            /** @constant */
            by: "body";
            /** @description ISO 8601 duration, such as `PT24H`. */
            within: string;
        } | {
            /** @constant */
            by: "expression";
            /** @description Over `event` and `headers`, such as `event.id`. */
            expression: string;
        } | {
            /** @constant */
            by: "none";
        };
        DefaultVersion: {
            procedureId: string;
            environment: components["schemas"]["Environment"];
            version: string;
            /** @description Warnings, in the same form as those of publishing. */
            problems: components["schemas"]["Problem"][];
            /** @description Triggers of the environment whose mapping does not fit this version. Their runs do not start. */
            triggers: components["schemas"]["UnfitTrigger"][];
        };
        Delivery: {
            /** @description Unique delivery id, the envelope's `id`. */
            id: string;
            event: components["schemas"]["EventName"];
            /** @description The run whose event it is; left out for a test. */
            runId?: string;
            /**
             * Format: uri
             * @description Receiver endpoint.
             */
            url: string;
            /**
             * @description `pending` until the receiver answered 2xx (`delivered`), every attempt failed (`failed`), or an attempt was due while the webhook was inactive and was not made (`skipped`).
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "skipped";
            /** @description HTTP status of the receiver's last answer. */
            responseCode?: number;
            /** @description Number of attempts so far. */
            attemptCount: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt?: string;
            /** @description Why it is not delivered: why the last attempt failed, or why none was made. */
            error?: string;
            /**
             * Format: date-time
             * @description When it is tried again, when it is.
             */
            nextAttemptAt?: string;
        };
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the answer arrived, or it was certain that none would.
             */
            at: string;
            durationMs: number;
            /** Format: uri */
            url: string;
            /** @description HTTP status of the answer. */
            responseCode?: number;
            /** @description Class of the failure, such as `timeout`. */
            failure?: string;
            /** @description Why the attempt did not deliver the event. */
            error?: string;
            /** @description Whether a person requested the attempt, by a test or a resend. */
            manual: boolean;
        };
        DeliveryDetails: {
            /** @description Unique delivery id, the envelope's `id`. */
            id: string;
            event: components["schemas"]["EventName"];
            /** @description The run whose event it is; left out for a test. */
            runId?: string;
            /**
             * Format: uri
             * @description Receiver endpoint.
             */
            url: string;
            /**
             * @description `pending` until the receiver answered 2xx (`delivered`), every attempt failed (`failed`), or an attempt was due while the webhook was inactive and was not made (`skipped`).
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "skipped";
            /** @description HTTP status of the receiver's last answer. */
            responseCode?: number;
            /** @description Number of attempts so far. */
            attemptCount: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt?: string;
            /** @description Why it is not delivered: why the last attempt failed, or why none was made. */
            error?: string;
            /**
             * Format: date-time
             * @description When it is tried again, when it is.
             */
            nextAttemptAt?: string;
            /** @description The body of its requests. */
            envelope: components["schemas"]["EventEnvelope"];
            /** @description Oldest first, without one that is under way. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryPage: {
            data: components["schemas"]["Delivery"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        Draft: {
            /** @description Keeps growing when a draft is discarded and another one is begun. */
            revision: number;
            /** Format: date-time */
            updatedAt: string;
            /** @description The person who last saved it. */
            by: string;
            document: {
                [key: string]: unknown;
            };
            /** @description The newest version whose changes the draft contains: that from which it began, or one that was published from it. Left out if there was none. */
            basedOn?: string;
        };
        DraftState: {
            /** @description Keeps growing when a draft is discarded and another one is begun. */
            revision: number;
            /** Format: date-time */
            updatedAt: string;
            /** @description The person who last saved it. */
            by: string;
        };
        /**
         * End
         * @description Where a run completes.
         */
        EndNode: {
            /** @description Identifier within the document; expressions read the node as `nodes.<id>`. */
            id: string;
            /**
             * @description Where a run completes.
             * @constant
             */
            kind: "end";
            /** @description Title for people: of the node or, on a human review, of its question, there with `{{ }}` expressions. */
            title?: string;
            /** @description Template of the run's output: JSON with `{{ }}` expressions in its texts. Default: `{}`. */
            output?: {
                [key: string]: unknown;
            };
        };
        /**
         * @description The two environments never share connections, runs or data.
         * @enum {string}
         */
        Environment: "sandbox" | "live";
        Error: {
            /** @description What failed, and what to do. */
            error: string;
            /**
             * @description Stable code for programs, unlike the text in `error`.
             * @enum {string}
             */
            code: "malformed_request" | "oauth_state_invalid" | "unknown_field" | "invalid_cursor" | "too_deep" | "unauthorized" | "environment_mismatch" | "permission_denied" | "oauth_denied" | "payload_too_large" | "unsupported_media_type" | "invalid_input" | "inexact_number" | "invalid_document" | "invalid_decision" | "destination_not_allowed" | "idempotency_key_reused" | "credentials_of_other_environment" | "rate_limited" | "not_found" | "run_not_found" | "procedure_not_found" | "version_not_found" | "review_not_found" | "connection_not_found" | "webhook_not_found" | "api_key_not_found" | "integration_not_found" | "trigger_not_found" | "firing_not_found" | "person_not_found" | "invitation_not_found" | "session_not_found" | "run_archived" | "oauth_ticket_used" | "already_decided" | "already_ended" | "another_review_open" | "too_early" | "idempotency_conflict" | "version_exists" | "name_taken" | "limit_reached" | "email_taken" | "last_owner" | "connection_in_use" | "webhook_inactive" | "not_oauth" | "needs_authorization" | "account_mismatch" | "revision_conflict" | "draft_outdated" | "stale_lease" | "review_digest_mismatch" | "manifest_required" | "invalid_configuration" | "decryption_failed" | "journal_corrupted" | "internal" | "upstream_unreachable" | "oauth_failed" | "action_failed" | "storage_unavailable" | "overloaded" | "inbound_unavailable" | "shutting_down" | "run_timeout";
            /** @description The places that have to change, as many as fit into 64 Ki characters. */
            details?: components["schemas"]["ErrorDetail"][];
            /** @description Finds the request in the service's log. */
            requestId: string;
        };
        ErrorDetail: {
            /** @description JSON pointer (RFC 6901) into the request; empty for the whole. */
            path: string;
            message: string;
            /** @description Of a problem in a procedure's document: the node that contains it, or the source node of the edge. */
            nodeId?: string;
        };
        EventEnvelope: components["schemas"]["RunCompletedEvent"] | components["schemas"]["RunFailedEvent"] | components["schemas"]["HumanReviewRequestedEvent"] | components["schemas"]["CustomEvent"];
        EventName: ("run_completed" | "run_failed" | "human_review_requested") | string;
        EventSource: {
            /** @constant */
            kind: "event";
            /** @description The event, such as `custom.payment_sent`. */
            name: string;
            /** @description Only events of this procedure. `null`: of any procedure. */
            procedureId: string | null;
        };
        FireTriggerRequest: {
            /** @description The event that the trigger's expressions read. */
            event?: unknown;
            /** @description The run's input, in place of the trigger's template. Not beside `event`. */
            data?: {
                [key: string]: unknown;
            };
        };
        FiredTrigger: {
            /** @description The firing, which tells its run once that has started. */
            firingId: string;
        };
        Firing: {
            id: string;
            triggerId: string;
            /**
             * @description `pending` until it is evaluated; `waiting` behind an open run or until the trigger is resumed; then `started`, `skipped` or `failed`.
             * @enum {string}
             */
            status: "pending" | "waiting" | "started" | "skipped" | "failed";
            /**
             * @description Why it was skipped, or why it failed.
             * @enum {string}
             */
            reason?: "filtered" | "overlap" | "superseded" | "missed" | "too_old" | "paused" | "deleted" | "restored" | "mapping_failed" | "input_invalid" | "procedure_not_found" | "version_not_found" | "permission_denied" | "chain_too_deep" | "start_failed";
            /** @description The faults behind the reason of a failed firing. */
            error?: {
                message: string;
                details: components["schemas"]["TriggerProblem"][];
            };
            /** @description How many times of the schedule it stands for, if they were skipped. */
            count: number;
            /** @description The person who asked for it, and for whom its run starts. Left out of a firing by itself. */
            requestedBy?: string;
            /**
             * Format: date-time
             * @description The nominal time of the schedule.
             */
            scheduledAt?: string;
            /**
             * Format: date-time
             * @description The sender's time of the event, if it states one.
             */
            occurredAt?: string;
            /**
             * Format: date-time
             * @description When the firing was stored.
             */
            receivedAt: string;
            /** @description Its event, without the content. */
            event?: {
                /** @description The sender's id. */
                id: string;
                type: string;
                /** @description SHA-256 in hexadecimal: of the bytes of the request's body, which several events can share, or of the event's JSON if it came without a request. */
                digest: string;
            };
            /** @description The run that it started. */
            runId?: string;
            /** @description The version that the run executes. */
            procedureVersion?: string;
            /** @description Time from the scheduled time, or from the arrival of the event, to the start of the run, in milliseconds. */
            lateMs?: number;
            /** @description How often the event arrived again. */
            duplicates: number;
            /** @description The firing that it repeats. */
            refireOf?: string;
        };
        FiringDetails: {
            id: string;
            triggerId: string;
            /**
             * @description `pending` until it is evaluated; `waiting` behind an open run or until the trigger is resumed; then `started`, `skipped` or `failed`.
             * @enum {string}
             */
            status: "pending" | "waiting" | "started" | "skipped" | "failed";
            /**
             * @description Why it was skipped, or why it failed.
             * @enum {string}
             */
            reason?: "filtered" | "overlap" | "superseded" | "missed" | "too_old" | "paused" | "deleted" | "restored" | "mapping_failed" | "input_invalid" | "procedure_not_found" | "version_not_found" | "permission_denied" | "chain_too_deep" | "start_failed";
            /** @description The faults behind the reason of a failed firing. */
            error?: {
                message: string;
                details: components["schemas"]["TriggerProblem"][];
            };
            /** @description How many times of the schedule it stands for, if they were skipped. */
            count: number;
            /** @description The person who asked for it, and for whom its run starts. Left out of a firing by itself. */
            requestedBy?: string;
            /**
             * Format: date-time
             * @description The nominal time of the schedule.
             */
            scheduledAt?: string;
            /**
             * Format: date-time
             * @description The sender's time of the event, if it states one.
             */
            occurredAt?: string;
            /**
             * Format: date-time
             * @description When the firing was stored.
             */
            receivedAt: string;
            /** @description Its event, without the content. */
            event?: {
                /** @description The sender's id. */
                id: string;
                type: string;
                /** @description SHA-256 in hexadecimal: of the bytes of the request's body, which several events can share, or of the event's JSON if it came without a request. */
                digest: string;
            };
            /** @description The run that it started. */
            runId?: string;
            /** @description The version that the run executes. */
            procedureVersion?: string;
            /** @description Time from the scheduled time, or from the arrival of the event, to the start of the run, in milliseconds. */
            lateMs?: number;
            /** @description How often the event arrived again. */
            duplicates: number;
            /** @description The firing that it repeats. */
            refireOf?: string;
            /** @description The event and its headers, with `include=event`. Left out of a firing without an event, and once the content was removed. */
            content?: {
                event: unknown;
                headers: {
                    [key: string]: string;
                };
            };
            /** @description The input of its run, with `include=input`. Left out of a firing without a run. */
            input?: unknown;
        };
        FiringPage: {
            data: components["schemas"]["Firing"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        FunctionDeclaration: {
            name: string;
            /** @description Shown to the agent. */
            description: string;
            /** @description JSON Schema of the input. */
            input: {
                [key: string]: unknown;
            };
            /**
             * @description Whether a person approves each call.
             * @default false
             */
            requiresReview?: boolean;
            /**
             * @description Whether a call may be made again.
             * @default false
             */
            idempotent?: boolean;
            /** @description Of an idempotent function: how long it recognises a call's idempotency key, in milliseconds. Default: 86400000, a day. */
            idempotencyKeyTtlMs?: number;
        };
        GivenDedupe: {
            /** @constant */
            by: "body";
            /**
             * @description ISO 8601 duration, such as `PT24H`.
             * @default PT24H
             */
            within?: string;
        } | {
            /** @constant */
            by: "expression";
            /** @description Over `event` and `headers`, such as `event.id`. */
            expression: string;
        } | {
            /** @constant */
            by: "none";
        };
        GivenEventSource: {
            /** @constant */
            kind: "event";
            /** @description The event, such as `custom.payment_sent`. */
            name: string;
            /**
             * @description Only events of this procedure. `null`: of any procedure.
             * @default null
             */
            procedureId?: string | null;
        };
        GivenInboundAuthentication: {
            /** @constant */
            scheme: "hmac";
            /** @description The header with the signature. */
            header: string;
            /**
             * @default sha256
             * @enum {string}
             */
            algorithm?: "sha256" | "sha512" | "sha1";
            /**
             * @default hex
             * @enum {string}
             */
            encoding?: "hex" | "base64";
            /**
             * @description Text before the signature, such as `sha256=`.
             * @default
             */
            prefix?: string;
            /**
             * @description A header with the time in seconds since the epoch. The signature then covers `<time>.<body>`, and a time that differs by more than five minutes is refused. `null`: the signature covers the body.
             * @default null
             */
            timestampHeader?: string | null;
        } | {
            /** @constant */
            scheme: "token";
            /** @description The header with the secret. `Authorization` carries it after `Bearer `. */
            header: string;
        } | {
            /** @constant */
            scheme: "basic";
        } | {
            /** @constant */
            scheme: "standard_webhooks";
        };
        GivenScheduleSource: {
            /** @constant */
            kind: "schedule";
            /** @description Five fields: minute, hour, day of the month, month, day of the week, with names, `L`, `W` and `#`. An hour field that begins with `*` counts elapsed time. Any other names wall-clock times: each fires once a day; one that the clock skips fires at the first instant after the gap, and one that the clock repeats at its first occurrence. */
            cron: string;
            /** @description IANA name, such as `Europe/Berlin`. */
            timeZone: string;
            /**
             * @description No time before this one fires. `null`: no bound.
             * @default null
             */
            startsAt?: string | null;
            /**
             * @description No time at or after this one fires. `null`: no bound.
             * @default null
             */
            endsAt?: string | null;
            /**
             * @description Delays each firing by a fixed part of this duration that depends on the trigger, so that many triggers of one time do not start together. At most the shortest interval of the schedule.
             * @default PT0S
             */
            spread?: string;
            /** @default latest */
            catchUp?: components["schemas"]["CatchUp"];
            /**
             * @description Older times are recorded as missed.
             * @default PT24H
             */
            catchUpWithin?: string;
        };
        GivenTriggerSource: components["schemas"]["GivenScheduleSource"] | components["schemas"]["IntegrationSource"] | components["schemas"]["GivenWebhookSource"] | components["schemas"]["GivenEventSource"];
        GivenWebhookSource: {
            /** @constant */
            kind: "webhook";
            authentication: components["schemas"]["GivenInboundAuthentication"];
            /** @description Default: the signed `webhook-id` with `standard_webhooks`, otherwise the bytes of the body within `PT24H`. A signed time tells no events apart, because services sign each retry anew. */
            dedupe?: components["schemas"]["GivenDedupe"];
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        Heartbeat: {
            invocations: {
                invocationId: string;
                leaseToken: string;
            }[];
        };
        HeartbeatReply: {
            /** @description Ids of invocations that the client no longer holds: stop, and send no result. */
            abandon: string[];
        };
        /**
         * Human review
         * @description Asks people, and waits for their decision.
         */
        HumanReviewNode: {
            /** @description Identifier within the document; expressions read the node as `nodes.<id>`. */
            id: string;
            /**
             * @description Asks people, and waits for their decision.
             * @constant
             */
            kind: "human_review";
            /** @description Title for people: of the node or, on a human review, of its question, there with `{{ }}` expressions. */
            title: string;
            /** @description Template of the data that the reviewer sees. Default: `{}`. */
            data?: {
                [key: string]: unknown;
            };
            /** @description JSON Schema of the outputs that a decision may carry. Default: any object. */
            outputs?: {
                [key: string]: unknown;
            };
            /** @description Who may decide. Default: everyone with the permission to review. */
            reviewers?: {
                /** @description Roles that may decide. */
                roles?: string[];
                /** @description People who may decide. */
                people?: string[];
            };
            /** @description How many different people have to approve. Default: 1. */
            approvals?: number;
            /** @description Whether the person who started the run may not decide. Default: false. */
            excludeStarter?: boolean;
            /** @description Human reviews that come before: a person who approved one of them in this run may not decide here. */
            excludeApproversOf?: string[];
            /** @description ISO 8601 duration after which the run fails, such as "P7D". Default: the review never expires. */
            expiresAfter?: string;
            /** @description The id of a tool_call further on, whose call is frozen, shown and sent exactly as approved. */
            covers?: string;
        };
        HumanReviewRequestedEvent: {
            /** @description Unique delivery id, kept when it is sent again: deduplicate by it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            createdAt: string;
            /** @constant */
            event: "human_review_requested";
            data: {
                /** @description Identifier of the run. */
                runId: string;
                procedureId: string;
                environment: components["schemas"]["Environment"];
                /** @description Number of the event within its run, from 1: deliveries may arrive in another order. */
                sequence?: number;
                /** @description Configured on the review node. */
                reviewTitle: string;
                /** @description The data that the reviewer sees. */
                reviewData: {
                    [key: string]: unknown;
                };
            };
        };
        InboundAuthentication: {
            /** @constant */
            scheme: "hmac";
            /** @description The header with the signature. */
            header: string;
            /** @enum {string} */
            algorithm: "sha256" | "sha512" | "sha1";
            /** @enum {string} */
            encoding: "hex" | "base64";
            /** @description Text before the signature, such as `sha256=`. */
            prefix: string;
            /** @description A header with the time in seconds since the epoch. The signature then covers `<time>.<body>`, and a time that differs by more than five minutes is refused. `null`: the signature covers the body. */
            timestampHeader: string | null;
        } | {
            /** @constant */
            scheme: "token";
            /** @description The header with the secret. `Authorization` carries it after `Bearer `. */
            header: string;
        } | {
            /** @constant */
            scheme: "basic";
        } | {
            /** @constant */
            scheme: "standard_webhooks";
        };
        InboundEventType: {
            /** @description The service's name for it, such as `payment.settled`. */
            type: string;
            /** @description Name for people. */
            title: string;
            /** @description JSON Schema of the event, where known. */
            schema?: {
                [key: string]: unknown;
            };
            /** @description A sample of the event, for `POST triggers/:triggerId/test`. */
            sample: unknown;
        };
        Integration: {
            /** @description The integration's id, such as `custom_api`. */
            id: string;
            /** @description Name for people. */
            title: string;
            /** @description The purpose of its service, such as `payments`. */
            category?: string;
            /**
             * @description Origin of the actions: the program of the service, a document of each connection, or clients in a customer's network.
             * @enum {string}
             */
            kind: "coded" | "documented" | "private";
            /** @description `false`: procedures use it by its id, without a connection. */
            needsConnection: boolean;
            /** @description JSON Schema of a connection's settings. */
            settings: {
                [key: string]: unknown;
            };
            /** @description The secrets of every connection. */
            secrets: {
                name: string;
                /** @description Whether a connection needs it. */
                isRequired: boolean;
                /** @description Where people find it, for a form. */
                description?: string;
            }[];
            /** @description Secrets that people name themselves, as many as there are; omitted for none. */
            otherSecrets?: {
                /** @description Beginning of their names, such as `item:`. */
                prefix: string;
                /** @description Where people find one, for a form. */
                description?: string;
            };
            /** @description The methods of `settings.authentication` with their secrets; empty without a choice. */
            authentication: {
                method: string;
                secrets: {
                    name: string;
                    /** @description Whether a connection needs it. */
                    isRequired: boolean;
                    /** @description Where people find it, for a form. */
                    description?: string;
                }[];
            }[];
            /** @description Whether connections are authorized by OAuth, for which they have `oauth`. */
            oauth: boolean;
            /** @description The events that its service sends, by type. With events, each connection has an inbound address. */
            events: components["schemas"]["InboundEventType"][];
        };
        IntegrationList: {
            /** @description By id. */
            data: components["schemas"]["Integration"][];
        };
        IntegrationSource: {
            /** @constant */
            kind: "integration";
            /** @description Name of the connection, in the trigger's environment. */
            connection: string;
            /** @description Types of its events. */
            events: string[];
        };
        Invitation: {
            id: string;
            email: string;
            access: components["schemas"]["Access"];
            groups: string[];
            /** @description E-mail address of the person who created the invitation. */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        InvitationPage: {
            data: components["schemas"]["Invitation"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        Invocation: {
            id: string;
            function: string;
            input: {
                [key: string]: unknown;
            };
            leaseToken: string;
            /** @description The same whenever this call is made again. */
            idempotencyKey: string;
            context: components["schemas"]["InvocationContext"];
        };
        InvocationContext: {
            environment: components["schemas"]["Environment"];
            runId: string | null;
            procedureId: string | null;
            /** @description The version's name. */
            procedureVersion: string | null;
        };
        InvocationResult: {
            invocationId: string;
            leaseToken: string;
            /** @constant */
            status: "ok";
            /** @description Left out when the function returned nothing. */
            output?: unknown;
        } | {
            invocationId: string;
            leaseToken: string;
            /** @constant */
            status: "error";
            /** @description The error's message; appears in the step's output. */
            error: string;
        };
        JsonSchema: {
            $schema: string;
        } & {
            [key: string]: unknown;
        };
        ListedConnection: {
            id: string;
            name: string;
            /** @description The integration's id, such as `custom_api`. */
            integration: string;
            /** @description Left out of a private connection. */
            environment?: components["schemas"]["Environment"];
            health: components["schemas"]["ConnectionHealth"];
            /** @description Omitted unless it is authorized by OAuth. */
            oauth?: components["schemas"]["ConnectionOAuth"];
            /** @description Of a private connection: the environments in which it has a token. Omitted for the others. */
            tokenEnvironments?: components["schemas"]["Environment"][];
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its name, settings or secrets were last changed.
             */
            updatedAt: string;
            /** @description Procedures whose default version of the environment or whose draft names it, with `?include=uses`. */
            uses?: number;
        };
        LookUpInvitationRequest: {
            /** @description The token of the invitation's link, which is the link's fragment. */
            token: string;
        };
        Manifest: {
            functions: components["schemas"]["FunctionDeclaration"][];
        };
        ManifestAccepted: {
            /** @description To be carried by polls. */
            digest: string;
        };
        /** @description Whether a decision of the caller would be accepted now, or why not. */
        MayDecide: {
            /** @constant */
            allowed: true;
        } | {
            /** @constant */
            allowed: false;
            reason: string;
        };
        OpenApiDocument: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        OpenInvitation: {
            /** @description Address that was invited. Left out for the first owner, who names their own. */
            email?: string;
            access: components["schemas"]["Access"];
            groups: string[];
            /** Format: date-time */
            expiresAt: string;
        };
        OpenReview: {
            reviewId: string;
            /** @description Digest of everything that is shown; send it back as `reviewDigest`. */
            digest: string;
            title: string;
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            requestedAt: string;
        };
        PauseTriggerRequest: {
            /**
             * @description `skip`: events are recorded as skipped. `hold`: they wait until the trigger is resumed.
             * @default skip
             * @enum {string}
             */
            events?: "skip" | "hold";
            /** @description Shown with the trigger. */
            reason?: string;
        };
        /** @enum {string} */
        Permission: "run" | "manage" | "review";
        Person: {
            id: string;
            /** @description E-mail address, in lower case. Records name the person by it. */
            email: string;
            name: string;
            access: components["schemas"]["Access"];
            groups: string[];
            /** @description Whether the person may sign in, and their API keys are accepted. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description Last use of a session of the person, to the minute. Left out before the first sign-in.
             */
            lastSeenAt?: string;
            /**
             * Format: date-time
             * @description When the person accepted their first invitation.
             */
            createdAt: string;
        };
        PersonPage: {
            data: components["schemas"]["Person"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        PollReply: {
            invocations: components["schemas"]["Invocation"][];
        };
        PreviewChangeRequest: {
            /** @description Each named value is replaced, or removed by `null`; the others stay. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Each named value is replaced, or removed by `null`; the others stay. */
            secrets?: {
                [key: string]: string | null;
            };
        };
        PreviewConnectionRequest: {
            spec: components["schemas"]["ApiSpec"];
        };
        PreviewTriggerRequest: {
            source: components["schemas"]["GivenTriggerSource"];
            /** @description A mapping to evaluate. It needs the permission `manage`. */
            mapping?: {
                procedureId: string;
                /**
                 * @description The version to run. `null`: the default version of the environment when the run starts.
                 * @default null
                 */
                version?: string | null;
                /**
                 * @description CEL expression over `event`, `headers`, `source`, `schedule` and `trigger`. A run starts only if it is true. `null`: every occurrence starts a run.
                 * @default null
                 */
                when?: string | null;
                /**
                 * @description Template of the run's input: JSON with `{{ }}` expressions over the same roots as `when`.
                 * @default {}
                 */
                input?: {
                    [key: string]: unknown;
                };
                /** @description The event that the expressions read. Left out for a schedule. */
                event?: unknown;
                /** @description By name in lower case. Default: none. */
                headers?: {
                    [key: string]: string;
                };
            };
        };
        PrivateConnectionClient: {
            clientId: string;
            /** @description Version of the program, if it states one. */
            version?: string;
            /** Format: date-time */
            lastPollAt: string;
            /** @description Names of the functions that it serves, sorted. */
            functions: string[];
        };
        PrivateConnectionClients: {
            /**
             * Format: uri
             * @description The address of the service for clients: their `PROCEDO_SDK_URL`.
             */
            sdkUrl: string;
            /** @description The clients that have polled within the last day, the last one first. */
            data: components["schemas"]["PrivateConnectionClient"][];
        };
        PrivateConnectionStatus: {
            /**
             * @description `connected` when a client has polled within the last 60 seconds.
             * @enum {string}
             */
            status: "connected" | "disconnected";
            /**
             * Format: date-time
             * @description Left out before the first poll.
             */
            lastPollAt?: string;
            registeredFunctions: string[];
        };
        /** @description One for each environment that the caller may manage. The other one's is made there. */
        PrivateConnectionTokens: {
            /** @description Shown once. */
            sandbox?: string;
            /** @description Shown once. */
            live?: string;
        };
        Problem: {
            /** @enum {string} */
            severity: "error" | "warning";
            /** @description JSON pointer (RFC 6901) into the document. */
            path: string;
            code: string;
            /** @description The fault, and what to change. */
            message: string;
            /** @description Of a procedure's document: the node that the problem is in, or that its edge leaves. */
            nodeId?: string;
            /** @description Characters (UTF-16 code units) from the beginning of the text at `path`, where the problem is in a part of it, such as an expression. */
            offset?: number;
            /** @description In the document's text, where known. */
            line?: number;
            column?: number;
        };
        Problems: {
            problems: components["schemas"]["Problem"][];
        };
        Procedure: {
            procedureId: string;
            name: string;
            draft?: components["schemas"]["Draft"];
            /** @description The default version of each environment that has one. */
            defaults: {
                sandbox?: string;
                live?: string;
            };
            /** @description The newest, newest first; all of them are a list of their own. */
            versions: components["schemas"]["VersionSummary"][];
        };
        /**
         * Procedure
         * @description A Procedo procedure: a flowchart of nodes and the edges between them.
         */
        ProcedureDocument: {
            /** @description Address of the JSON Schema, for editors. It is kept and has no effect on execution. */
            $schema?: string;
            /**
             * @description The version of this format.
             * @constant
             */
            schemaVersion: 1;
            /** @description Identifies the procedure in addresses. */
            procedureId: string;
            /** @description Name of the procedure, for people. */
            name: string;
            /** @description Purpose of the procedure, for people. */
            description?: string;
            /** @description JSON Schema of a run's `data`, which is an object. */
            input: {
                [key: string]: unknown;
            };
            /** @description Template of the reference of a run, such as an invoice number, by which lists show and find it: over `input` and `run`, rendered at the start, at most 200 characters. Default: runs have no reference. */
            reference?: string;
            /** @description The steps: one start, one or more ends, others between. */
            nodes: (components["schemas"]["StartNode"] | components["schemas"]["EndNode"] | components["schemas"]["ToolCallNode"] | components["schemas"]["ConditionNode"] | components["schemas"]["HumanReviewNode"])[];
            /** @description The ways from node to node. */
            edges: components["schemas"]["ProcedureEdge"][];
            /** @description Limits of all agents of the procedure, across every version. */
            budgets?: {
                /** @description Of one run. Default: the limits of the engine, which apply in any case. */
                run?: {
                    /** @description Calls of the language model. Default: the limit of the run. */
                    modelCalls?: number;
                    /** @description Tokens of prompts and answers together. Default: the limit of the run. */
                    tokens?: number;
                    /** @description Calls of actions, retries included, with mapped or proposed arguments; the engine's own limit stays above it. */
                    toolCalls?: number;
                };
                /** @description Of all runs of an environment in one day. Default: no bound. */
                day?: {
                    /** @description Calls of language models. */
                    modelCalls?: number;
                    /** @description Tokens of prompts and answers together. */
                    tokens?: number;
                    /** @description Calls of actions, each counted once for all its attempts. */
                    toolCalls?: number;
                    /** @description IANA name of the zone whose days count, such as "Europe/Berlin". */
                    timeZone: string;
                };
            };
        };
        /** Edge */
        ProcedureEdge: {
            /** @description The id of the node that the edge leaves. */
            from: string;
            /** @description The id of the node that it leads to. */
            to: string;
            /** @description A branch of a condition, or `error` or `rejected` of a tool_call. */
            branch?: string;
        };
        ProcedurePage: {
            data: components["schemas"]["ProcedureSummary"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        ProcedureSummary: {
            procedureId: string;
            name: string;
            /** @description When there is one. */
            draft?: components["schemas"]["DraftState"];
            /** @description The default version of each environment that has one. */
            defaults: {
                sandbox?: string;
                live?: string;
            };
            /** @description Open reviews of its runs. */
            openReviews: number;
            /** @description Runs that were started on the last seven days in UTC, today included. Cancelled runs are not counted. */
            last7Days: {
                completed: number;
                failed: number;
            };
            /**
             * Format: date-time
             * @description Start of its newest run. Left out if it has none.
             */
            lastRunAt?: string;
        };
        PublishVersionRequest: {
            version: string;
            /** @description Default: the draft. */
            document?: {
                [key: string]: unknown;
            };
            /** @description Revision of the draft; 409 if the current revision is another one. Required if a draft that was saved in the other environment becomes a default. Omitted with a document. */
            revision?: number;
            /** @description The version that the caller knows to be the newest; 409 if another one is. Required if the draft lacks the changes of the newest version. Omitted with a document. */
            basedOn?: string;
            /**
             * @description Environments in which the version becomes the default. The first version becomes it in the caller's environment.
             * @default []
             */
            defaultIn?: components["schemas"]["Environment"][];
        };
        PublishedVersion: {
            procedureId: string;
            version: string;
            /** @description The procedure's name as of this version. */
            name: string;
            publishedBy: string;
            /** Format: date-time */
            publishedAt: string;
            /** @description Warnings; with an error nothing is published. */
            problems: components["schemas"]["Problem"][];
        };
        Readiness: {
            /** @constant */
            status: "ready";
        };
        RegeneratedToken: {
            environment: components["schemas"]["Environment"];
            /** @description Shown once. */
            token: string;
        };
        ReplyPart: {
            /** @constant */
            type: "text";
            text: string;
        } | {
            /** @constant */
            type: "reasoning";
            text: string;
        } | {
            /** @constant */
            type: "tool_call";
            toolCallId: string;
            toolName: string;
            /** @description As proposed: JSON as a value, its numbers with all their digits; other text as text. */
            arguments: unknown;
        };
        ResendDeliveriesRequest: {
            /**
             * Format: date-time
             * @description Deliveries of events at this time or later are sent again.
             */
            since: string;
            /**
             * @description Which deliveries are sent again.
             * @default [
             *       "failed",
             *       "skipped"
             *     ]
             */
            statuses?: ("failed" | "skipped")[];
            /** @description `nextCursor` of the page before, sent with the same filters. */
            cursor?: string;
        };
        ResentDeliveries: {
            /** @description How many deliveries are on their way again. */
            resent: number;
            /** @description There are more deliveries to look through: send it as `cursor`, with the same `since`. */
            nextCursor?: string;
        };
        ResultSettlement: {
            invocationId: string;
            /** @constant */
            success: true;
        } | {
            invocationId: string;
            /** @constant */
            success: false;
            /** @description Why the result was refused. */
            error: string;
            /**
             * @description Stable code for programs, unlike the text in `error`.
             * @enum {string}
             */
            code: "malformed_request" | "oauth_state_invalid" | "unknown_field" | "invalid_cursor" | "too_deep" | "unauthorized" | "environment_mismatch" | "permission_denied" | "oauth_denied" | "payload_too_large" | "unsupported_media_type" | "invalid_input" | "inexact_number" | "invalid_document" | "invalid_decision" | "destination_not_allowed" | "idempotency_key_reused" | "credentials_of_other_environment" | "rate_limited" | "not_found" | "run_not_found" | "procedure_not_found" | "version_not_found" | "review_not_found" | "connection_not_found" | "webhook_not_found" | "api_key_not_found" | "integration_not_found" | "trigger_not_found" | "firing_not_found" | "person_not_found" | "invitation_not_found" | "session_not_found" | "run_archived" | "oauth_ticket_used" | "already_decided" | "already_ended" | "another_review_open" | "too_early" | "idempotency_conflict" | "version_exists" | "name_taken" | "limit_reached" | "email_taken" | "last_owner" | "connection_in_use" | "webhook_inactive" | "not_oauth" | "needs_authorization" | "account_mismatch" | "revision_conflict" | "draft_outdated" | "stale_lease" | "review_digest_mismatch" | "manifest_required" | "invalid_configuration" | "decryption_failed" | "journal_corrupted" | "internal" | "upstream_unreachable" | "oauth_failed" | "action_failed" | "storage_unavailable" | "overloaded" | "inbound_unavailable" | "shutting_down" | "run_timeout";
        };
        ResultsSettled: {
            results: components["schemas"]["ResultSettlement"][];
        };
        ResultsTogether: {
            results: components["schemas"]["InvocationResult"][];
        };
        Review: {
            reviewId: string;
            /** @description Identifier of the run. */
            runId: string;
            procedureId: string;
            /** @description The version that the run executes. */
            procedureVersion: string;
            environment: components["schemas"]["Environment"];
            /** @description The person who started the run. */
            startedBy: string;
            /** @description The reference of the run, such as an invoice number. Omitted if it has none. */
            reference?: string;
            nodeId: string;
            kind: components["schemas"]["ReviewKind"];
            status: components["schemas"]["ReviewStatus"];
            title: string;
            /** @description Digest of everything that is shown; send it back as `reviewDigest`. */
            digest: string;
            /** @description Who may decide; both empty: everyone with the permission to review. */
            reviewers: {
                roles: string[];
                people: string[];
            };
            /** @description Whether the person who started the run may not decide. */
            excludesStarter: boolean;
            /** @description Nodes of the run: a person who approved a review of one of them may not decide. */
            excludesApproversOf: string[];
            /** @description How many different people have to approve. */
            approvalsNeeded: number;
            approvalsGiven: number;
            mayDecide: components["schemas"]["MayDecide"];
            /** @description If an approval sends a call. */
            call?: components["schemas"]["ReviewCall"];
            /**
             * Format: date-time
             * @description Earlier decisions are refused.
             */
            notBefore?: string;
            /**
             * Format: date-time
             * @description Then the run fails.
             */
            expiresAt?: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            closedAt?: string;
            /** @description Exactly what the reviewer sees. Of a call that an agent proposed, `argumentOrigins` names the origin of each argument, by its JSON pointer: `agent`, `procedure`, or a list of the sources from which the procedure makes it, each `{ path, from }`. */
            data: {
                [key: string]: unknown;
            };
            /** @description JSON Schema of the outputs that a decision may carry; `false`: none, `true`: any object. */
            outputsSchema: boolean | {
                [key: string]: unknown;
            };
            decisions: components["schemas"]["DecisionRecord"][];
        };
        /** @description Exactly the call that an approval sends. */
        ReviewCall: {
            connection: string;
            action: string;
            /**
             * @description `read` changes nothing, `idempotent` may be repeated under its key, `once` may not.
             * @enum {string}
             */
            effect: "read" | "idempotent" | "once";
            /** @description Name of the account at the service, where it is known. An approved call is made by no other one. */
            account?: string;
            arguments: {
                [key: string]: unknown;
            };
            /** @description The tool call that an approval makes. */
            nodeId: string;
            /** @description Identifies the definition of the action. If it changes, the approved call is not sent. */
            actionRevision: string;
            /** @description HTTP method, for an action of a document. */
            method?: string;
            /** @description Path template at the origin, such as `/v2/payments/{id}`, for an action of a document. */
            path?: string;
            /** @description The server that receives the call, such as `https://api.bank.example`, for an action of a document. Omitted with `method` and `path` if the call can no longer be sent. */
            origin?: string;
        };
        ReviewCallSummary: {
            connection: string;
            action: string;
            /**
             * @description `read` changes nothing, `idempotent` may be repeated under its key, `once` may not.
             * @enum {string}
             */
            effect: "read" | "idempotent" | "once";
        };
        ReviewDecision: {
            /** @description true resumes the run. false fails it, or resumes it with the node that the review names for rejections. */
            approved: boolean;
            /** @description On approval, replaces the review node's result; later nodes see these values. */
            outputs?: {
                [key: string]: unknown;
            };
            /** @description Required when `approved` is false; stored in the run's `error`. */
            rejectionReason?: string;
            /**
             * Format: uuid
             * @description New for each submission; the same one for the same run answers the original decision to the person who made it.
             */
            idempotencyKey: string;
            /** @description The review that is decided; 409 when another one is open. */
            reviewId?: string;
            /** @description Digest of the review as the reviewer saw it; 412 when it is not that of the open review. */
            reviewDigest?: string;
        };
        /**
         * @description Origin of the review: a node, a guard or limit of a call, a private function that requires it, an agent that is not sure of its answer, or a call's open outcome.
         * @enum {string}
         */
        ReviewKind: "human_review" | "guard" | "function" | "question" | "outcome_unknown";
        ReviewPage: {
            data: components["schemas"]["ReviewSummary"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        /**
         * @description `settled`: a late answer of the call made the question void.
         * @enum {string}
         */
        ReviewStatus: "open" | "approved" | "rejected" | "expired" | "settled" | "cancelled";
        ReviewSummary: {
            reviewId: string;
            /** @description Identifier of the run. */
            runId: string;
            procedureId: string;
            /** @description The version that the run executes. */
            procedureVersion: string;
            environment: components["schemas"]["Environment"];
            /** @description The person who started the run. */
            startedBy: string;
            /** @description The reference of the run, such as an invoice number. Omitted if it has none. */
            reference?: string;
            nodeId: string;
            kind: components["schemas"]["ReviewKind"];
            status: components["schemas"]["ReviewStatus"];
            title: string;
            /** @description Digest of everything that is shown; send it back as `reviewDigest`. */
            digest: string;
            /** @description Who may decide; both empty: everyone with the permission to review. */
            reviewers: {
                roles: string[];
                people: string[];
            };
            /** @description Whether the person who started the run may not decide. */
            excludesStarter: boolean;
            /** @description Nodes of the run: a person who approved a review of one of them may not decide. */
            excludesApproversOf: string[];
            /** @description How many different people have to approve. */
            approvalsNeeded: number;
            approvalsGiven: number;
            mayDecide: components["schemas"]["MayDecide"];
            /** @description If an approval sends a call. */
            call?: components["schemas"]["ReviewCallSummary"];
            /**
             * Format: date-time
             * @description Earlier decisions are refused.
             */
            notBefore?: string;
            /**
             * Format: date-time
             * @description Then the run fails.
             */
            expiresAt?: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            closedAt?: string;
        };
        RotateWebhookSecretRequest: {
            /**
             * @description Whether the old secret signs beside the new one for 24 hours.
             * @default false
             */
            keepOldSecret?: boolean;
        };
        RotatedTriggerSecret: {
            id: string;
            /** @description The secret of its address, shown once. */
            secret: string;
            /**
             * Format: date-time
             * @description Until then, the old secret is accepted as well.
             */
            oldSecretExpiresAt: string;
        };
        RotatedWebhookSecret: {
            id: string;
            /** @description Signing secret, shown once. */
            secret: string;
            /**
             * Format: date-time
             * @description When the old secret was kept.
             */
            oldSecretExpiresAt?: string;
        };
        Run: {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "running";
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
            procedureId: string;
            /** @description The version that the run carries for life. */
            procedureVersion: string;
            environment: components["schemas"]["Environment"];
            /** @description The person who started the run. */
            startedBy: string;
            /** @description The reference of the run, such as an invoice number. Omitted if it has none. */
            reference?: string;
            /** @description What started the run. Left out for a start over the Runner API. */
            trigger?: components["schemas"]["RunTrigger"];
            /** Format: date-time */
            createdAt: string;
            /** @description With `?include=steps`. */
            steps?: components["schemas"]["RunStep"][];
            /** @description With `?include=timeline`. */
            timeline?: components["schemas"]["RunTimelineStep"][];
        } | {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "awaiting_review";
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
            procedureId: string;
            /** @description The version that the run carries for life. */
            procedureVersion: string;
            environment: components["schemas"]["Environment"];
            /** @description The person who started the run. */
            startedBy: string;
            /** @description The reference of the run, such as an invoice number. Omitted if it has none. */
            reference?: string;
            /** @description What started the run. Left out for a start over the Runner API. */
            trigger?: components["schemas"]["RunTrigger"];
            /** Format: date-time */
            createdAt: string;
            /** @description The open review. Omitted once the review is decided. */
            review?: components["schemas"]["OpenReview"];
            /** @description With `?include=steps`. */
            steps?: components["schemas"]["RunStep"][];
            /** @description With `?include=timeline`. */
            timeline?: components["schemas"]["RunTimelineStep"][];
        } | {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "completed";
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
            procedureId: string;
            /** @description The version that the run carries for life. */
            procedureVersion: string;
            environment: components["schemas"]["Environment"];
            /** @description The person who started the run. */
            startedBy: string;
            /** @description The reference of the run, such as an invoice number. Omitted if it has none. */
            reference?: string;
            /** @description What started the run. Left out for a start over the Runner API. */
            trigger?: components["schemas"]["RunTrigger"];
            /** Format: date-time */
            createdAt: string;
            /** @description Final output. */
            output: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            completedAt: string;
            /** @description With `?include=steps`. */
            steps?: components["schemas"]["RunStep"][];
            /** @description With `?include=timeline`. */
            timeline?: components["schemas"]["RunTimelineStep"][];
        } | {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "failed";
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
            procedureId: string;
            /** @description The version that the run carries for life. */
            procedureVersion: string;
            environment: components["schemas"]["Environment"];
            /** @description The person who started the run. */
            startedBy: string;
            /** @description The reference of the run, such as an invoice number. Omitted if it has none. */
            reference?: string;
            /** @description What started the run. Left out for a start over the Runner API. */
            trigger?: components["schemas"]["RunTrigger"];
            /** Format: date-time */
            createdAt: string;
            /** @description Why the run failed; of a rejected review, its reason. */
            error: string;
            /** Format: date-time */
            completedAt: string;
            /** @description With `?include=steps`. */
            steps?: components["schemas"]["RunStep"][];
            /** @description With `?include=timeline`. */
            timeline?: components["schemas"]["RunTimelineStep"][];
        };
        RunAccepted: {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "running";
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
        };
        RunAttempt: {
            /** @description Which call of the step, from 1. */
            call: number;
            /** @description Which attempt of the call, from 1. */
            attempt: number;
            /** @description Key of the call, the same for each of its attempts. */
            idempotencyKey: string;
            connection: string;
            action: string;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description Left out while the attempt is under way.
             */
            completedAt?: string;
            /**
             * @description `ok`: the service answered with a result. `error`: it refused the call, or was not reached. `unknown`: the call may or may not have taken effect. `not_started`: the worker stopped before the request was sent, or the service refused the access token. Left out while the attempt is under way.
             * @enum {string}
             */
            outcome?: "ok" | "error" | "unknown" | "not_started";
            /** @description Why the attempt failed, or why its outcome is unknown. */
            message?: string;
            /**
             * Format: date-time
             * @description When the next attempt was due.
             */
            retryAt?: string;
        };
        RunCall: {
            /** @description Which call of the step, from 1. */
            call: number;
            /** @description Number of attempts; 0 where the worker stopped before the first. */
            attempts: number;
            arguments: {
                [key: string]: unknown;
            };
            output?: unknown;
            error?: string;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description Left out while its outcome is not known.
             */
            completedAt?: string;
        };
        RunCompletedEvent: {
            /** @description Unique delivery id, kept when it is sent again: deduplicate by it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            createdAt: string;
            /** @constant */
            event: "run_completed";
            data: {
                /** @description Identifier of the run. */
                runId: string;
                procedureId: string;
                environment: components["schemas"]["Environment"];
                /** @description Number of the event within its run, from 1: deliveries may arrive in another order. */
                sequence?: number;
                /** @constant */
                status: "completed";
                output: {
                    [key: string]: unknown;
                };
            };
        };
        RunExchange: {
            /** @description Which call of the step, where it made several. */
            call?: number;
            /** @description Which attempt of the call, from 1. */
            attempt: number;
            request: {
                method: string;
                url: string;
                headers: {
                    [key: string]: string;
                };
                /** @description JSON as a value, other text as text. */
                body?: unknown;
            };
            /** @description Omitted if there was no response. */
            response?: {
                status: number;
                headers: {
                    [key: string]: string;
                };
                /** @description Omitted for a successful response, whose body is the step's output. */
                body?: unknown;
            };
            /** @description Parts that were omitted from the record. */
            note?: string;
        };
        RunFailedEvent: {
            /** @description Unique delivery id, kept when it is sent again: deduplicate by it. */
            id: string;
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            createdAt: string;
            /** @constant */
            event: "run_failed";
            data: {
                /** @description Identifier of the run. */
                runId: string;
                procedureId: string;
                environment: components["schemas"]["Environment"];
                /** @description Number of the event within its run, from 1: deliveries may arrive in another order. */
                sequence?: number;
                /** @constant */
                status: "failed";
                error: string;
            };
        };
        RunPage: {
            data: components["schemas"]["RunSummary"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        /** @enum {string} */
        RunStatus: "running" | "awaiting_review" | "completed" | "failed";
        RunStep: {
            nodeId: string;
            /** @enum {string} */
            kind: "start" | "end" | "tool_call" | "condition" | "human_review";
            title?: string;
            /** @description Which visit of the node this is, in a loop. */
            visit: number;
            status: components["schemas"]["RunStatus"];
            /** @description Exactly the input of the step. */
            input?: unknown;
            /** @description Exactly its result; of a failed step `{ error }`. */
            output?: unknown;
            /** @description The edge by which the run left, when it has a name. */
            branch?: string;
            /** @description Why the branch was taken, of an answered question. */
            reason?: string;
            /** @description How sure the agent was, where the node asks for it. */
            confidence?: number;
            /** @description The conversation with the agent. */
            turns?: components["schemas"]["RunTurn"][];
            /** @description Number of attempts of the step's calls. */
            attempts?: number;
            /**
             * Format: date-time
             * @description When its call is made again, while it waits for that.
             */
            retryAt?: string;
            /** @description Why the last attempt failed, while it waits. */
            retryReason?: string;
            /** @description The connection that a person has to authorize first, while its call waits for that. */
            authorization?: components["schemas"]["AuthorizationWait"];
            /** @description Where the step made more than one. */
            calls?: components["schemas"]["RunCall"][];
            /** @description The attempts of all calls of the step, in order. */
            callAttempts?: components["schemas"]["RunAttempt"][];
            /** @description Requests and answers of the attempts, if the integration records them. */
            exchanges?: components["schemas"]["RunExchange"][];
            /** @description The review that the step asked for. */
            reviewId?: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            completedAt?: string;
            durationMs?: number;
        };
        RunSummary: {
            /** @description Identifier of the run. */
            runId: string;
            status: components["schemas"]["RunStatus"];
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
            procedureId: string;
            /** @description The version that the run carries for life. */
            procedureVersion: string;
            environment: components["schemas"]["Environment"];
            /** @description The person who started the run. */
            startedBy: string;
            /** @description The reference of the run, such as an invoice number. Omitted if it has none. */
            reference?: string;
            /** @description What started the run. Left out for a start over the Runner API. */
            trigger?: components["schemas"]["RunTrigger"];
            /** Format: date-time */
            createdAt: string;
            /** @description The open review that the run waits for. */
            waitingFor?: components["schemas"]["RunWait"];
            /** @description Why the run failed; of a rejected review, its reason. */
            error?: string;
            /** Format: date-time */
            completedAt?: string;
        };
        RunTimelineStep: {
            nodeId: string;
            /** @enum {string} */
            kind: "start" | "end" | "tool_call" | "condition" | "human_review";
            title?: string;
            /** @description Which visit of the node this is, in a loop. */
            visit: number;
            status: components["schemas"]["RunStatus"];
            /** @description The edge by which the run left, when it has a name. */
            branch?: string;
            /** @description Why the branch was taken, of an answered question. */
            reason?: string;
            /** @description How sure the agent was, where the node asks for it. */
            confidence?: number;
            /** @description Number of attempts of the step's calls. */
            attempts?: number;
            /**
             * Format: date-time
             * @description When its call is made again, while it waits for that.
             */
            retryAt?: string;
            /** @description Why the last attempt failed, while it waits. */
            retryReason?: string;
            /** @description The connection that a person has to authorize first, while its call waits for that. */
            authorization?: components["schemas"]["AuthorizationWait"];
            /** @description The review that the step asked for. */
            reviewId?: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            completedAt?: string;
            durationMs?: number;
            calls?: {
                /** @description Which call of the step, from 1. */
                call: number;
                /** @description Number of attempts; 0 where the worker stopped before the first. */
                attempts: number;
                error?: string;
                /** Format: date-time */
                startedAt: string;
                /**
                 * Format: date-time
                 * @description Left out while its outcome is not known.
                 */
                completedAt?: string;
            }[];
            bytes: {
                /** @description Size of the value's JSON in UTF-8; 0 if there is none. */
                input: number;
                /** @description Size of the value's JSON in UTF-8; 0 if there is none. */
                output: number;
            };
            /** @description Whether an agent executed the step. */
            hasTurns: boolean;
        };
        RunTrigger: {
            /**
             * @description `manual`: a person started the run, or fired the trigger.
             * @enum {string}
             */
            kind: "schedule" | "integration" | "webhook" | "event" | "manual";
            /** @description The trigger. Omitted for a manual start without one. */
            triggerId?: string;
            /** @description The firing of the trigger. */
            firingId?: string;
            /** @description The sender's id of the event, if there was one. */
            eventId?: string;
            /**
             * Format: date-time
             * @description The nominal time of the schedule.
             */
            scheduledAt?: string;
        };
        RunTurn: {
            /** @description Which turn of the visit, from 1. */
            turn: number;
            /** @description Number of requests to the model; 0 until the first one is answered or fails. */
            attempts: number;
            /** @description As the answer names it, else as it was asked for. */
            modelId?: string;
            provider?: string;
            /** @description Messages that this turn added to the conversation. */
            messages: components["schemas"]["TurnMessage"][];
            reply?: components["schemas"]["ReplyPart"][];
            /** @description Why the model stopped: stop, length, content-filter, tool-calls, error or other. */
            finishReason?: string;
            /** @description The same in the provider's own word. */
            rawFinishReason?: string;
            usage?: {
                inputTokens: number;
                outputTokens: number;
                /** @description The figures that the provider did not report: estimates by the engine, as budgets count them. */
                estimated?: ("inputTokens" | "outputTokens")[];
            };
            /** @description Duration of the latest attempt. */
            latencyMs?: number;
            /** @description The reason for which the latest attempt had no answer. */
            error?: string;
            /**
             * @description Consequence of the reply. `called`: its call was made; `corrected`: the model was asked to correct it; `answered`: it answered the question; `concluded`: it wanted no further call; `reviewed`: a review was opened; `failed`: the step failed.
             * @enum {string}
             */
            stop?: "called" | "corrected" | "answered" | "concluded" | "reviewed" | "failed";
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            completedAt?: string;
        };
        RunWait: {
            /** @constant */
            kind: "review";
            reviewId: string;
            reviewKind: components["schemas"]["ReviewKind"];
            /** @description The node that opened the review. */
            nodeId: string;
            title: string;
            /** Format: date-time */
            since: string;
        };
        SaveDraftRequest: {
            /** @description A procedure document. */
            document: {
                [key: string]: unknown;
            };
            /**
             * @description Revision of the draft that this one replaces; 409 if the current revision is another one. 0: there is no draft yet.
             * @default 0
             */
            revision?: number;
            /** @description Version from which the document began, or with which it was last compared. Default: that of the draft that it replaces; for a new draft, the newest version. */
            basedOn?: string;
        };
        /** @description A draft with problems is saved as well. */
        SavedDraft: {
            /** @description Keeps growing when a draft is discarded and another one is begun. */
            revision: number;
            /** Format: date-time */
            updatedAt: string;
            /** @description The person who last saved it. */
            by: string;
            problems: components["schemas"]["Problem"][];
        };
        ScheduleSource: {
            /** @constant */
            kind: "schedule";
            /** @description Five fields: minute, hour, day of the month, month, day of the week, with names, `L`, `W` and `#`. An hour field that begins with `*` counts elapsed time. Any other names wall-clock times: each fires once a day; one that the clock skips fires at the first instant after the gap, and one that the clock repeats at its first occurrence. */
            cron: string;
            /** @description IANA name, such as `Europe/Berlin`. */
            timeZone: string;
            /** @description No time before this one fires. `null`: no bound. */
            startsAt: string | null;
            /** @description No time at or after this one fires. `null`: no bound. */
            endsAt: string | null;
            /** @description Delays each firing by a fixed part of this duration that depends on the trigger, so that many triggers of one time do not start together. At most the shortest interval of the schedule. */
            spread: string;
            catchUp: components["schemas"]["CatchUp"];
            /** @description Older times are recorded as missed. */
            catchUpWithin: string;
        };
        ScheduledTime: {
            /**
             * Format: date-time
             * @description When it fires: the nominal time and the spread.
             */
            at: string;
            /**
             * Format: date-time
             * @description The nominal time.
             */
            scheduledAt: string;
            /** @description The nominal time in the zone of the schedule, with its offset. */
            local: string;
            /** @description Why the time is shifted. Left out if it is not. */
            note?: string;
        };
        ServiceFacts: {
            /** @description Version of the service. */
            version: string;
            /** @description Purposes for which the service has a language model. */
            models: string[];
            /** @description IANA time zone of the service's days. */
            timeZone: string;
            /** @description Base addresses of the Runner API, of the application, and for clients of private connections. */
            addresses: {
                runnerUrl: string;
                appUrl: string;
                sdkUrl: string;
            };
            limits: {
                /** @description For each key, person and private connection's token. Left out if there is no limit. */
                requestsPerSecond?: number;
                /** @description Largest body of a request. */
                maxRequestBytes: number;
                /** @description Largest body of a request about a connection, which may carry a document. */
                maxConnectionRequestBytes: number;
                /** @description How many levels of arrays and objects a value may nest. */
                maxJsonDepth: number;
            };
            /** @description The process that answered. Left out by a service that is embedded in an application. */
            deployment?: {
                /** @description Version of Node.js. */
                node: string;
                /** @enum {string} */
                storage: "sqlite" | "postgres";
                /** @description Version of the database's schema: its number of migrations. */
                schemaVersion: number;
                /**
                 * @description Whether the process that answered serves HTTP, executes runs, or both.
                 * @enum {string}
                 */
                role: "all" | "http" | "execute";
                /** @description How long a stopping process waits for calls in progress. */
                drainMs: number;
                /** @description Networks that outgoing requests may reach in addition to the public internet. */
                allowNetworks: string[];
            };
        };
        Session: {
            id: string;
            /** @description Whether it is the session of this request. */
            isCurrent: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Last use, to the minute.
             */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
            userAgent?: string;
            address?: string;
        };
        SessionAnswer: {
            person: components["schemas"]["Person"];
            /** @description Permissions of the person in each environment beside reading, which needs a role in it. */
            permissions: {
                sandbox: ("run" | "manage" | "review" | "administer")[];
                live: ("run" | "manage" | "review" | "administer")[];
            };
            session: {
                id: string;
                /**
                 * Format: date-time
                 * @description When the person has to sign in again, even while active.
                 */
                expiresAt: string;
            };
            service: {
                version: string;
                /** @description Purposes for which the service has a language model. */
                models: string[];
                /** @description IANA time zone of the service's days. */
                timeZone: string;
            };
            /** @description The session's token, for `Authorization: Bearer`. Shown once, when it was asked for. */
            token?: string;
        };
        SessionList: {
            data: components["schemas"]["Session"][];
        };
        SetDefaultRequest: {
            /** @description One that does not exist is a 404. */
            version: string;
        };
        SignInMethods: {
            /** @description Whether the service has an owner. If not, `procedo start` prints a link by which the first owner begins. */
            setUp: boolean;
            methods: ({
                /** @constant */
                kind: "password";
            } | {
                /** @constant */
                kind: "oidc";
                id: string;
                name: string;
            })[];
        };
        SignInRequest: {
            email: string;
            password: string;
            /**
             * @description Where the answer carries the session: a cookie for browsers, the field `token` for programs.
             * @default cookie
             * @enum {string}
             */
            answerWith?: "cookie" | "token";
        };
        StartAuthorizationRequest: {
            /** @description The path of the application to which the browser returns, such as `/dashboard/connections`; without it, a page says that the connection is authorized. */
            returnTo?: string;
            /** @description `true` accepts another account than that of the authorization before. */
            replace?: boolean;
        };
        /**
         * Start
         * @description Where a run begins; exactly one.
         */
        StartNode: {
            /** @description Identifier within the document; expressions read the node as `nodes.<id>`. */
            id: string;
            /**
             * @description Where a run begins; exactly one.
             * @constant
             */
            kind: "start";
            /** @description Title for people: of the node or, on a human review, of its question, there with `{{ }}` expressions. */
            title?: string;
        };
        StartRunRequest: {
            /** @description Input; must conform to the procedure's input schema, whose defaults complete it. */
            data: {
                [key: string]: unknown;
            };
            metadata?: {
                /** @description Pins the run to a published version; one that does not exist is a 404. Default: the procedure's default in this environment. */
                procedureVersion?: string;
            };
            /** @default {} */
            control?: {
                /**
                 * @description `sync` holds the request until the run ends, pauses for review, or the timeout.
                 * @default async
                 * @enum {string}
                 */
                executionMode?: "async" | "sync";
                /**
                 * @description Milliseconds; used in sync mode. The run continues after it.
                 * @default 60000
                 */
                executionTimeout?: number;
            };
        };
        StartedAuthorization: {
            /**
             * Format: uri
             * @description A page of the application, for the person's browser. It works once, and leads to the service.
             */
            url: string;
            /**
             * Format: date-time
             * @description Until when the page can be opened.
             */
            expiresAt: string;
        };
        Success: {
            /** @constant */
            success: true;
        };
        Summary: {
            /**
             * Format: date-time
             * @description When runs and reviews were counted; numbers are up to 5 s old.
             */
            at: string;
            attention: {
                /** @description Open reviews because of a call with an unknown outcome. */
                outcomeUnknown: number;
                /** @description Reviews that the caller may decide now, among the 1,000 open reviews that were requested first. */
                reviewsForMe: number;
                /** @description Open reviews; as many runs wait for a review. */
                reviewsOpen: number;
                /** @description Open reviews that expire within 24 hours. */
                reviewsExpiringIn24h: number;
                /** @description Runs that were started on one of the days and failed within the last 24 hours. Cancelled runs are not counted. */
                failedLast24h: number;
                /** @description Connections whose health is `failing`, `unconfirmed` or `needs_authorization`, among the first 1,000 by id. */
                connectionsFailing: number;
                /** @description Active webhooks with `failingSince`, and those that the service deactivated because of their receivers, among the first 1,000 by id. */
                webhooksFailing: number;
            };
            runs: {
                running: number;
                awaitingReview: number;
            };
            /** @description The last seven days in UTC, today last. A run counts for the day of its start. Cancelled runs are not counted. */
            days: {
                /** Format: date */
                day: string;
                completed: number;
                failed: number;
            }[];
            /** @description Procedures with a run of these days or an open review: those with the highest sum of completed runs, failed runs and open reviews, highest first. */
            procedures: {
                procedureId: string;
                name: string;
                completed: number;
                failed: number;
                openReviews: number;
            }[];
        };
        SyncRun: components["schemas"]["SyncRunCompleted"] | components["schemas"]["SyncRunFailed"] | components["schemas"]["SyncRunAwaitingReview"];
        SyncRunAwaitingReview: {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "awaiting_review";
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
        };
        SyncRunCompleted: {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "completed";
            output: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            completedAt: string;
        };
        SyncRunFailed: {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "failed";
            error: string;
            /** Format: date-time */
            completedAt: string;
        };
        SyncRunTimeout: {
            /** @description Identifier of the run. */
            runId: string;
            /** @constant */
            status: "timeout";
            /** @description States that the run exceeded the timeout, in milliseconds. */
            error: string;
            /**
             * Format: uri
             * @description Poll it for the run's current state.
             */
            statusUrl: string;
        };
        TestTriggerRequest: {
            event: unknown;
            /** @description By name in lower case. Default: none. */
            headers?: {
                [key: string]: string;
            };
        } | {
            /** @description A firing of the trigger, for its event. */
            firingId: string;
        };
        TestWebhookRequest: {
            /** @description The event to send a sample of. Default: the first one. */
            event?: components["schemas"]["EventName"];
        };
        /**
         * Tool call
         * @description Calls an action of a connection.
         */
        ToolCallNode: {
            /** @description Identifier within the document; expressions read the node as `nodes.<id>`. */
            id: string;
            /**
             * @description Calls an action of a connection.
             * @constant
             */
            kind: "tool_call";
            /** @description Title for people: of the node or, on a human review, of its question, there with `{{ }}` expressions. */
            title?: string;
            /** @description A connection's name, resolved in the environment of the run. */
            connection: string;
            /** @description The name of an action of the connection. */
            action: string;
            /** @description Mapped arguments: JSON with `{{ }}` expressions in its texts. With `instructions` beside them they are fixed, and the agent fills in the rest. */
            arguments?: {
                [key: string]: unknown;
            };
            /** @description Tells an agent which arguments to propose for the call. */
            instructions?: string;
            /** @description Conditions that the arguments have to meet before the call is made. */
            guards?: {
                /** @description A CEL expression over `args` beside the usual scope; it must be true for the call to be made. */
                check: string;
                /**
                 * @description The consequence where it is not true: a person decides, or the node fails.
                 * @enum {string}
                 */
                otherwise: "review" | "fail";
            }[];
            /** @description How often and when a failed call is made again. */
            retry?: {
                /** @description How often a call is made in all. Default: 4. */
                maxAttempts?: number;
                /** @description Delay before the second attempt, in milliseconds. Default: 1000. */
                initialDelayMs?: number;
                /** @description Longest delay between two attempts, in milliseconds. Default: 30000. */
                maxDelayMs?: number;
            };
            /** @description Longest duration of one attempt, in milliseconds. Default: the action's own, else 60000. */
            timeoutMs?: number;
            /**
             * @description The consequence where the outcome of a `once` call is unknown: a person decides, the call is made again, or the run fails without the `error` branch. Default: that of the action ("retry" for messages), else "review".
             * @enum {string}
             */
            onUnknownOutcome?: "review" | "retry" | "fail";
            /** @description How often the agent may call the action in one visit; needs `instructions`. Default: 1. */
            maxCalls?: number;
            /** @description Limits of the agent in one visit; needs `instructions`. */
            budget?: {
                /** @description Calls of the language model. Default: the limit of the run. */
                modelCalls?: number;
                /** @description Tokens of prompts and answers together. Default: the limit of the run. */
                tokens?: number;
            };
            /** @description Limits of the amounts that the node's calls may move. */
            sumLimits?: {
                /** @description Names the sum; a later version that keeps node and name continues it. */
                name: string;
                /** @description A CEL expression over `args` that yields a whole number of at least 0: the amount that a call adds. */
                sum: string;
                /** @description A CEL expression over `args`; a call for which it is false does not count. Default: every call counts. */
                when?: string;
                /** @description The limit of the sum. */
                atMost: number;
                /**
                 * @description Whether the sum is of one run, or of all runs of a day.
                 * @enum {string}
                 */
                per: "run" | "day";
                /** @description IANA name of the zone whose days count; needed with `"per": "day"`. */
                timeZone?: string;
                /**
                 * @description The consequence for a call that would exceed the sum: a person decides, or the node fails. Default: "fail".
                 * @enum {string}
                 */
                otherwise?: "review" | "fail";
            }[];
            /** @description Who decides on the call's guards and sum limits, on a function that requires a review, and on an unknown outcome. Where a Human Review covers the call, its reviewers decide. */
            review?: {
                /** @description Who may decide. Default: everyone with the permission to review. */
                reviewers?: {
                    /** @description Roles that may decide. */
                    roles?: string[];
                    /** @description People who may decide. */
                    people?: string[];
                };
                /** @description How many different people have to approve. Default: 1. */
                approvals?: number;
                /** @description Whether the person who started the run may not decide. Default: false. */
                excludeStarter?: boolean;
                /** @description Human reviews that come before: a person who approved one of them in this run may not decide here. */
                excludeApproversOf?: string[];
            };
            /** @description A `custom.<name>` event that the success of the step emits. */
            emit?: {
                /** @description The event's name is `custom.` followed by this. */
                name: string;
                /** @description Template of the event's payload. Default: `{}`. */
                data?: {
                    [key: string]: unknown;
                };
            };
        };
        Trigger: {
            id: string;
            /** @description Name for people; unique within the environment. */
            name: string;
            environment: components["schemas"]["Environment"];
            procedureId: string;
            source: components["schemas"]["TriggerSource"];
            /** @description The version to run. `null`: the default version of the environment when the run starts. */
            version: string | null;
            /** @description CEL expression over `event`, `headers`, `source`, `schedule` and `trigger`. A run starts only if it is true. `null`: every occurrence starts a run. */
            when: string | null;
            /** @description Template of the run's input: JSON with `{{ }}` expressions over the same roots as `when`. */
            input: {
                [key: string]: unknown;
            };
            /**
             * @description What happens to an occurrence while a run of the trigger is open. `skip`: it starts no run. `queue_one`: the newest waits. `queue`: all wait, and run in order. `allow`: they run beside each other.
             * @enum {string}
             */
            overlap: "skip" | "queue_one" | "queue" | "allow";
            /** @description With `allow`: the most runs of the trigger that are open at a time; others wait. `null`: no bound. */
            maxOpenRuns: number | null;
            /** @description Pauses the trigger after this many failures in a row. `null`: never. */
            pauseAfterFailures: number | null;
            /** @enum {string} */
            state: "active" | "paused";
            /** @description Present while it is paused. */
            paused?: {
                /** Format: date-time */
                at: string;
                /** @description The person, or `procedo` after failures in a row. */
                by: string;
                reason?: string;
                /**
                 * @description `skip`: events are recorded as skipped. `hold`: they wait until the trigger is resumed.
                 * @enum {string}
                 */
                events: "skip" | "hold";
            };
            health: {
                /**
                 * @description `failing`: the newest firing or its run failed. `needs_attention`: the trigger does not fit its procedure or its connection any more, its person may not start runs, or it was paused after failures.
                 * @enum {string}
                 */
                status: "ok" | "failing" | "needs_attention";
                /** @description Counted up to 100. */
                consecutiveFailures: number;
                /**
                 * Format: date-time
                 * @description When the newest firing was stored.
                 */
                lastFiringAt?: string;
                /** @description Firings that have not started yet, counted up to 1,000. */
                waiting: number;
            };
            /** @description The next five times of an active schedule; empty otherwise. */
            next: components["schemas"]["ScheduledTime"][];
            /** @description Of a webhook trigger. */
            inbound?: {
                /**
                 * Format: uri
                 * @description The address to which the other service sends its requests.
                 */
                url: string;
                /**
                 * Format: date-time
                 * @description Time of the last verified request, to the minute; omitted if there was none.
                 */
                lastReceivedAt?: string;
                /** @description Refused requests of the last 24 hours, as the answering process counted them since its start. */
                refusedLast24h: number;
            };
            /** @description The places that do not fit any more. */
            problems: components["schemas"]["TriggerProblem"][];
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** @description The person who last changed it. Its runs start for this person. */
            updatedBy: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Number of its changes, from 1. */
            revision: number;
        };
        TriggerPage: {
            data: components["schemas"]["Trigger"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        TriggerPreview: {
            /** @description The next five times; empty without a schedule. */
            next: components["schemas"]["ScheduledTime"][];
            /** @description The result of the mapping, if one was given. */
            test?: components["schemas"]["TriggerTest"];
        };
        TriggerProblem: {
            /** @description JSON pointer into the trigger, such as `/input/amount`, or into the run's input, such as `/data/amount`. */
            path: string;
            message: string;
        };
        TriggerSource: components["schemas"]["ScheduleSource"] | components["schemas"]["IntegrationSource"] | components["schemas"]["WebhookSource"] | components["schemas"]["EventSource"];
        TriggerTest: {
            /** @description Whether `when` is true; `true` without one. */
            matches: boolean;
            /** @description The run's input. Left out if it cannot be made. */
            input?: unknown;
            /** @description Why no run would start. */
            problems: components["schemas"]["TriggerProblem"][];
        };
        TurnMessage: {
            /** @constant */
            role: "system";
            text: string;
        } | {
            /** @constant */
            role: "user";
            text: string;
        } | {
            /** @constant */
            role: "tool";
            toolCallId: string;
            toolName: string;
            /** @description Outcome of the proposed call, as sent to the model. */
            output: unknown;
            /** @constant */
            isError?: true;
        };
        UnfitTrigger: {
            id: string;
            /** @description Name for people; unique within the environment. */
            name: string;
            /** @description The places that do not fit any more. */
            problems: components["schemas"]["TriggerProblem"][];
        };
        UpdateConnectionRequest: {
            name?: string;
            /** @description Each named value is replaced, or removed by `null`; the others stay. */
            settings?: {
                [key: string]: unknown;
            };
            /** @description Each named value is replaced, or removed by `null`; the others stay. */
            secrets?: {
                [key: string]: string | null;
            };
        };
        UpdatePersonRequest: {
            /** @description The person's name, for other people. */
            name?: string;
            access?: components["schemas"]["AccessRequest"];
            /** @description Labels of the person, which reviews may name as roles, such as `treasury`. */
            groups?: string[];
            /**
             * @description Activates a deactivated person again.
             * @constant
             */
            isActive?: true;
        };
        UpdateTriggerRequest: {
            /** @description Name for people; unique within the environment. */
            name?: string;
            procedureId?: string;
            source?: components["schemas"]["GivenTriggerSource"];
            /** @description The version to run. `null`: the default version of the environment when the run starts. */
            version?: string | null;
            /** @description CEL expression over `event`, `headers`, `source`, `schedule` and `trigger`. A run starts only if it is true. `null`: every occurrence starts a run. */
            when?: string | null;
            /** @description Template of the run's input: JSON with `{{ }}` expressions over the same roots as `when`. */
            input?: {
                [key: string]: unknown;
            };
            /**
             * @description What happens to an occurrence while a run of the trigger is open. `skip`: it starts no run. `queue_one`: the newest waits. `queue`: all wait, and run in order. `allow`: they run beside each other.
             * @enum {string}
             */
            overlap?: "skip" | "queue_one" | "queue" | "allow";
            /** @description With `allow`: the most runs of the trigger that are open at a time; others wait. `null`: no bound. */
            maxOpenRuns?: number | null;
            /** @description Pauses the trigger after this many failures in a row. `null`: never. */
            pauseAfterFailures?: number | null;
            /** @description The revision that was read. A trigger that was changed since is refused with `revision_conflict`. */
            revision?: number;
        };
        UpdateWebhookRequest: {
            /**
             * Format: uri
             * @description Receiver endpoint.
             */
            url?: string;
            /** @description Subscribed event names. */
            events?: components["schemas"]["EventName"][];
            name?: string;
            /** @description Whether events are delivered. While it is `false`, their deliveries are recorded as `skipped`. */
            isActive?: boolean;
        };
        UpdatedConnection: {
            id: string;
            name: string;
            /** @description The integration's id, such as `custom_api`. */
            integration: string;
            /** @description Left out of a private connection. */
            environment?: components["schemas"]["Environment"];
            health: components["schemas"]["ConnectionHealth"];
            /** @description Omitted unless it is authorized by OAuth. */
            oauth?: components["schemas"]["ConnectionOAuth"];
            /** @description Of a private connection: the environments in which it has a token. Omitted for the others. */
            tokenEnvironments?: components["schemas"]["Environment"][];
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its name, settings or secrets were last changed.
             */
            updatedAt: string;
            settings: {
                [key: string]: unknown;
            };
            /** @description Which secrets are set. */
            secretNames: string[];
            /** @description Default versions and drafts that name it. */
            usedBy: components["schemas"]["ConnectionUse"][];
            /** @description Omitted unless its service sends events. */
            inbound?: {
                /**
                 * Format: uri
                 * @description The address to which the other service sends its requests.
                 */
                url: string;
                /**
                 * Format: date-time
                 * @description Time of the last verified request, to the minute; omitted if there was none.
                 */
                lastReceivedAt?: string;
                /** @description Refused requests of the last 24 hours, as the answering process counted them since its start. */
                refusedLast24h: number;
                /** @description Types of event that triggers can choose. */
                events: string[];
            };
            /** @description The document's text, with `?include=spec`. */
            spec?: string;
            /** @description Parts of the document that were omitted, with the reason; only if a document was read. */
            problems?: components["schemas"]["Problem"][];
            /** @description Of its actions, when any. */
            changes?: components["schemas"]["ConnectionChanges"];
        };
        ValidateProcedureRequest: {
            /** @description A procedure document. */
            document: {
                [key: string]: unknown;
            };
        };
        Version: {
            procedureId: string;
            version: string;
            /** @description The procedure's name as of this version. */
            name: string;
            publishedBy: string;
            /** Format: date-time */
            publishedAt: string;
            document: components["schemas"]["ProcedureDocument"];
        };
        VersionPage: {
            data: components["schemas"]["VersionSummary"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        VersionSummary: {
            procedureId: string;
            version: string;
            /** @description The procedure's name as of this version. */
            name: string;
            publishedBy: string;
            /** Format: date-time */
            publishedAt: string;
        };
        Webhook: {
            id: string;
            name: string;
            /** Format: uri */
            url: string;
            events: components["schemas"]["EventName"][];
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the webhook became inactive. Present only while it is inactive.
             */
            deactivatedAt?: string;
            /** @description Why it is inactive: the person who deactivated it, or the behaviour of its receiver. */
            deactivatedBecause?: string;
            /**
             * Format: date-time
             * @description The first failed attempt since an attempt was last accepted, or the activation or change of the address, if that was later. Present only while the webhook is failing. Attempts that a person asked for do not start it, and an accepted one ends it.
             */
            failingSince?: string;
            /** @description The person who created it. */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
        };
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            /** @description Opaque. Left out on the last page. */
            nextCursor?: string;
        };
        WebhookSource: {
            /** @constant */
            kind: "webhook";
            authentication: components["schemas"]["InboundAuthentication"];
            dedupe: components["schemas"]["Dedupe"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the service's log. */
        RequestId: string;
        /** @description Seconds to wait. */
        RetryAfter: number;
        /** @description Methods that the path supports. */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    startRun: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                procedureId: string;
                environment: components["schemas"]["Environment"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRunRequest"];
            };
        };
        responses: {
            /** @description `sync`: the run ended or paused for a review before the timeout. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncRun"];
                };
            };
            /** @description `async`: the run is durable and executes asynchronously. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`, `procedure_not_found`, `version_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `sync`: the run neither ended nor paused for a review before the timeout. The run continues. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncRunTimeout"];
                };
            };
        };
    };
    pollRun: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                include?: "steps" | "timeline";
            };
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_archived` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                procedureId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartRunRequest"];
            };
        };
        responses: {
            /** @description `sync`: the run ended or paused for a review before the timeout. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncRun"];
                };
            };
            /** @description `async`: the run is durable and executes asynchronously. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunAccepted"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `procedure_not_found`, `version_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `sync`: the run neither ended nor paused for a review before the timeout. The run continues. */
            504: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SyncRunTimeout"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description One or several statuses, separated by commas. */
                status?: string;
                procedureId?: string;
                /** @description Of this version of the procedure. */
                version?: string;
                /** @description Started by this person. */
                startedBy?: string;
                /** @description Started by this trigger. */
                triggerId?: string;
                /** @description The run with exactly this id, and runs whose reference begins with this text; upper and lower case differ. */
                q?: string;
                /** @description Only runs that call for a person: those that wait for a review, and those that were started on the last seven days in UTC and failed within the last 24 hours without being cancelled. `GET summary` counts the same runs. */
                attention?: "true";
                /** @description Created at or after. */
                from?: string;
                /** @description Created before. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                include?: "steps" | "timeline";
            };
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_archived` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getRunStep: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                runId: string;
                nodeId: string;
                visit: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The step. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunStep"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_not_found`, `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_archived` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRunRequest"];
            };
        };
        responses: {
            /** @description The run will end. No further step starts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `already_ended` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportRun: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditExport"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `run_archived` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                status?: components["schemas"]["ReviewStatus"];
                procedureId?: string;
                kind?: components["schemas"]["ReviewKind"];
                /** @description The review with exactly this id, reviews of the run with exactly this id, and reviews of runs whose reference begins with this text; upper and lower case differ. Not with `order`. */
                q?: string;
                /** @description Only reviews that the caller may decide now. */
                decidable?: "true";
                /** @description `requested`: oldest first, the default. `expires`: open reviews, by the time of their expiry. */
                order?: "requested" | "expires";
                /** @description Closed at this time or later; those that were requested last come first. */
                closedFrom?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of reviews. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReview: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                reviewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The review. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Review"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `review_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    decideReview: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewDecision"];
            };
        };
        responses: {
            /** @description The decision is recorded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `review_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `already_decided`, `another_review_open`, `too_early`, `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `review_digest_mismatch` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `invalid_decision`, `idempotency_key_reused` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProcedures: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description Words of the id or name, in either case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of procedures, by id. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProcedurePage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProcedure: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                procedureId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The procedure with its draft and newest versions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Procedure"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `procedure_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveDraft: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                procedureId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveDraftRequest"];
            };
        };
        responses: {
            /** @description The draft's revision, and the document's problems. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedDraft"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `version_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    discardDraft: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description Revision of the draft as it was read; 409 if the current revision is another one. */
                revision?: number;
            };
            header?: never;
            path: {
                procedureId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The draft is discarded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `procedure_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    validateProcedure: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                procedureId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValidateProcedureRequest"];
            };
        };
        responses: {
            /** @description The document's problems. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problems"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                procedureId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of versions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `procedure_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    publishVersion: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                procedureId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishVersionRequest"];
            };
        };
        responses: {
            /** @description The version is published. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedVersion"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `procedure_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `version_exists`, `revision_conflict`, `draft_outdated` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `invalid_document` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                procedureId: string;
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version with its document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Version"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `version_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setDefault: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                procedureId: string;
                environment: components["schemas"]["Environment"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetDefaultRequest"];
            };
        };
        responses: {
            /** @description The default version. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DefaultVersion"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`, `version_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `invalid_document` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTriggers: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description Of this procedure. */
                procedureId?: string;
                /** @description Of this kind of source. */
                kind?: "schedule" | "integration" | "webhook" | "event";
                /** @description Of events of the connection with this name. */
                connection?: string;
                state?: "active" | "paused";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of triggers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTriggerRequest"];
            };
        };
        responses: {
            /** @description The trigger. The secret of a webhook trigger is shown in this answer only. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTrigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `procedure_not_found`, `version_not_found`, `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `name_taken`, `limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewTriggerRequest"];
            };
        };
        responses: {
            /** @description The times, and the result of the mapping. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerPreview"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trigger. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The trigger is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTriggerRequest"];
            };
        };
        responses: {
            /** @description The trigger as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found`, `procedure_not_found`, `version_not_found`, `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `name_taken`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestTriggerRequest"];
            };
        };
        responses: {
            /** @description The result. A mapping that fails is described too. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerTest"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found`, `firing_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pauseTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PauseTriggerRequest"];
            };
        };
        responses: {
            /** @description The trigger as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The trigger as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    fireTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FireTriggerRequest"];
            };
        };
        responses: {
            /** @description The firing is durable. Its run starts soon. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiredTrigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    backfillTrigger: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackfillTriggerRequest"];
            };
        };
        responses: {
            /** @description The numbers of firings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BackfilledTrigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found`, `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `upstream_unreachable` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded`, `inbound_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateTriggerSecret: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The new secret, shown in this answer only. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedTriggerSecret"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFirings: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description Of this status. */
                status?: "pending" | "waiting" | "started" | "skipped" | "failed";
                /** @description Stored at or after this time. */
                from?: string;
                /** @description Stored before this time. */
                to?: string;
            };
            header?: never;
            path: {
                triggerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of firings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiringPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFiring: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description `event`, `input`, or both, separated by a comma. */
                include?: string;
            };
            header?: never;
            path: {
                triggerId: string;
                firingId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The firing. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiringDetails"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found`, `firing_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    refire: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                triggerId: string;
                firingId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The new firing is durable. Its run starts soon. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FiredTrigger"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `trigger_not_found`, `firing_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIntegrations: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integrations. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationList"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getIntegration: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The integration. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `integration_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCatalogue: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description Words of the name, path or description. */
                search?: string;
                /** @description Name of the only connection to list. */
                connection?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of actions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueActionPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                include?: "uses";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of connections. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createConnection: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConnectionRequest"];
            };
        };
        responses: {
            /** @description The connection, without its secrets. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedConnection"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `name_taken` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `invalid_document`, `destination_not_allowed`, `credentials_of_other_environment` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewConnection: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewConnectionRequest"];
            };
        };
        responses: {
            /** @description The document's actions and problems. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPreview"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `destination_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                include?: "spec";
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection, without its secrets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description `true`: also when published versions call the connection, whose calls then fail. */
                force?: "true" | "false";
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The connection is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_in_use`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateConnection: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description `true`: also when published versions call the connection, whose calls then fail. */
                force?: "true" | "false";
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConnectionRequest"];
            };
        };
        responses: {
            /** @description The connection as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedConnection"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `name_taken`, `connection_in_use`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `invalid_document`, `destination_not_allowed`, `credentials_of_other_environment` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    previewChange: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewChangeRequest"];
            };
        };
        responses: {
            /** @description The consequences of the update. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `invalid_document`, `destination_not_allowed`, `credentials_of_other_environment` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testConnection: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The result of the test, with the reason for a failure. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startAuthorization: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartAuthorizationRequest"];
            };
        };
        responses: {
            /** @description The page to open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedAuthorization"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_oauth` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`, `invalid_configuration` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    refreshAuthorization: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The authorization as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionOAuth"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_oauth`, `needs_authorization` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `oauth_failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeAuthorization: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The connection has no tokens. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_oauth` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the authorization server. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `not_oauth` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `oauth_ticket_used` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `internal`, `invalid_configuration` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `storage_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    finishAuthorization: {
        parameters: {
            query?: {
                /** @description The server's code. */
                code?: string;
                /** @description The state of the authorization. */
                state?: string;
                /** @description The server's issuer. */
                iss?: string;
                /** @description The server's refusal. */
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is authorized. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description To the path of the start. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_request`, `oauth_state_invalid` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `oauth_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `not_oauth`, `account_mismatch`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `credentials_of_other_environment` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `oauth_failed` */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description `storage_unavailable` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    listActions: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description Words of the name, path or description. */
                search?: string;
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of actions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActionPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAction: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The action. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Action"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found`, `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPrivateConnectionStatus: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status of the clients of one environment. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrivateConnectionStatus"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPrivateConnectionClients: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clients. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrivateConnectionClients"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    regenerateToken: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                connectionId: string;
                environment: components["schemas"]["Environment"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The new token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegeneratedToken"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `not_found`, `connection_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `name_taken`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    registerFunctions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Manifest"];
            };
        };
        responses: {
            /** @description The functions are registered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManifestAccepted"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pollInvocations: {
        parameters: {
            query?: {
                /** @description How many invocations the client can take. */
                max?: number;
                /** @description Digest of the client's manifest. 412 when the service does not know it: send it again. */
                manifest?: string;
            };
            header?: {
                /** @description Identifies this client among the clients of the same token. */
                "Procedo-Client"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls to make. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PollReply"];
                };
            };
            /** @description There was no call. Poll again. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `manifest_required` */
            412: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded`, `shutting_down` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    extendLeases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Heartbeat"];
            };
        };
        responses: {
            /** @description The calls that this client must abandon. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatReply"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postResult: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvocationResult"];
            };
        };
        responses: {
            /** @description The run continues with this result. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `stale_lease` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    postResults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResultsTogether"];
            };
        };
        responses: {
            /** @description The outcome of each result, in the request's order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultsSettled"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of webhooks. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook. Its secret is shown in this answer only. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `destination_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The webhook is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number`, `destination_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description The new secret, shown in this answer only. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookRequest"];
            };
        };
        responses: {
            /** @description The delivery, now scheduled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description `pending` until the receiver answered 2xx (`delivered`), every attempt failed (`failed`), or an attempt was due while the webhook was inactive and was not made (`skipped`). */
                status?: "pending" | "delivered" | "failed" | "skipped";
                event?: components["schemas"]["EventName"];
                /** @description Of events of this run. */
                runId?: string;
                /** @description Of events at or after this time. */
                from?: string;
                /** @description Of events before this time. */
                to?: string;
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetails"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`, `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The delivery, now scheduled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found`, `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendDeliveries: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendDeliveriesRequest"];
            };
        };
        responses: {
            /** @description The number of deliveries that were scheduled again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentDeliveries"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_inactive` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    receiveEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": unknown;
            };
        };
        responses: {
            /** @description The events are stored, or no trigger takes them. A service that checks the address gets its own answer. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, is nested too deeply, or has a member twice. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The signature is missing or wrong. Some services are answered another status, such as 498. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The events are those of the service's other environment. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description There is no such address. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body has more than 1 MiB, or more than 1,000 events. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is compressed. */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not of the service's form. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many requests. `Retry-After` tells the seconds to wait. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An internal error, which the log records. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The events could not be stored, or the key of their signature could not be fetched. Send them again after `Retry-After`, or in a while. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key. Its raw form is shown in this answer only. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `person_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteApiKey: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The key is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `api_key_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ways to sign in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session and its person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            /** @description The session. Its cookie is in `Set-Cookie`, or its token in `token` when it was asked for. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description The new session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionAnswer"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions of the person, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description All sessions but this one have ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endOneSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `session_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startOidc: {
        parameters: {
            query?: {
                /** @description Where the browser goes after the sign-in: a path under `/dashboard`. Any other path is replaced by the default. */
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    finishOidc: {
        parameters: {
            query?: {
                /** @description The provider's code. */
                code?: string;
                /** @description The state of the sign-in. */
                state?: string;
                /** @description The provider's issuer. */
                iss?: string;
                /** @description The provider's refusal. */
                error?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the dashboard. */
            302: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    lookUpInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookUpInvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvitation"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invitation_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationRequest"];
            };
        };
        responses: {
            /** @description The person. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invitation_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `email_taken`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of people. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of invitations that are open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationRequest"];
            };
        };
        responses: {
            /** @description The invitation. Its link is shown in this answer only. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `email_taken`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The link is no longer valid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invitation_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `person_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deactivatePerson: {
        parameters: {
            query?: {
                /** @description Deletes the API keys that act as the person. */
                keys?: "delete";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The API keys that act as the person. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeactivatedPerson"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `person_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `last_owner`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updatePerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePersonRequest"];
            };
        };
        responses: {
            /** @description The person as they are now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `person_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `last_owner`, `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSessionsOfPerson: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description All sessions of the person have ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `too_deep` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `person_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `revision_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invalid_input`, `inexact_number` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description How many items to answer at most. */
                limit?: number;
                /** @description `nextCursor` of the page before, sent with the same filters. */
                cursor?: string;
                /** @description Such as `procedure.published`. */
                action?: string;
                /** @description The person who made the change. */
                person?: string;
                /** @description The changed resource, as entries name it. */
                subject?: string;
                /** @description Earliest time, inclusive. */
                from?: string;
                /** @description Latest time, exclusive. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description `malformed_request`, `unknown_field`, `invalid_cursor` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal`, `journal_corrupted` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The facts. They contain no secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceFacts"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSummary: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    followChanges: {
        parameters: {
            query?: {
                /** @description Names the environment for a dashboard session. An API key implies it; naming the other one is a 403. */
                environment?: components["schemas"]["Environment"];
                /** @description The `id` after which to go on. `Last-Event-ID` precedes it. */
                after?: string;
            };
            header?: {
                /** @description The `id` of the last event that was read. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description `malformed_request`, `unknown_field` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `environment_mismatch`, `permission_denied` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `storage_unavailable`, `overloaded` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document of the service. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApiDocument"];
                };
            };
        };
    };
    getProcedureSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Schema (2020-12). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonSchema"];
                };
            };
        };
    };
    getAuditPublicKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Web Key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPublicKey"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process answers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Requests can be served. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description `storage_unavailable`, `overloaded`, `shutting_down` */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
