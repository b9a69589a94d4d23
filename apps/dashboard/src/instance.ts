const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="tributary:${name}"]`)?.content || undefined

/** What the service wrote into the page about itself. Read when it is asked for: some tests load the app without a page. */
export const instance = {
  /** The address that merchants' pages and servers call. */
  get baseUrl() {
    return meta('base-url') ?? location.origin
  },
  /** Whether the operator has a platform account, to which merchants can connect theirs. */
  get hasPlatform() {
    return meta('platform') === 'yes'
  },
  /** Whether the service can send mail: without it nobody is promised a link. */
  get hasMail() {
    return meta('mail') === 'yes'
  },
  /**
   * `first`: nobody has an account yet; `demo`: the demo's person alone has one; `open`: anybody may sign up;
   * `invited`: an invitation is needed.
   */
  get signUp() {
    return (meta('sign-up') ?? 'open') as 'first' | 'demo' | 'open' | 'invited'
  },
}
