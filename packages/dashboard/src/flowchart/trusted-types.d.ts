/** The part of Trusted Types that the page uses. */
interface TrustedTypePolicyOptions {
  readonly createScriptURL: (url: string) => string;
}

interface TrustedTypePolicy {
  createScriptURL(url: string): object;
}

interface Window {
  /** Left out by browsers without Trusted Types. */
  readonly trustedTypes?: {
    createPolicy(name: string, options: TrustedTypePolicyOptions): TrustedTypePolicy;
  };
}
