const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="tributary:${name}"]`)?.content || undefined

/** What the service wrote into the page about itself. */
export const instance = {
  /** The address that merchants' pages and servers call. */
  baseUrl: meta('base-url') ?? location.origin,
  /** Whether the operator has a platform account, to which merchants can connect theirs. */
  hasPlatform: meta('platform') === 'yes',
  /** Whether the service can send mail: without it nobody is promised a link. */
  hasMail: meta('mail') === 'yes',
  /**
   * `first`: nobody has an account yet; `demo`: the demo's person alone has one; `open`: anybody may sign up;
   * `invited`: an invitation is needed.
   */
  signUp: (meta('sign-up') ?? 'open') as 'first' | 'demo' | 'open' | 'invited',
}
