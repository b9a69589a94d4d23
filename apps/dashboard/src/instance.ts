const meta = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="tributary:${name}"]`)?.content || undefined

/** Settings the service writes into the page. Getters, because some tests load the app without a page. */
export const instance = {
  /** The base URL that merchants' pages and servers call. */
  get baseUrl() {
    return meta('base-url') ?? location.origin
  },
  /** The address that partners open: the base URL unless the operator set `PORTAL_URL`. */
  get portalUrl() {
    return meta('portal-url') ?? this.baseUrl
  },
  /** Whether the service can send email. If not, the UI must not promise any. */
  get hasMail() {
    return meta('mail') === 'yes'
  },
  /** The name of the team's identity provider, if there is one. */
  get signOn() {
    return meta('sign-on')
  },
  /** `first`: no account exists yet; `demo`: only the demo account exists; `open`: anyone may sign up; `invited`: by invitation only. */
  get signUp() {
    return (meta('sign-up') ?? 'open') as 'first' | 'demo' | 'open' | 'invited'
  },
}

/** Whether only the computer that runs the service can reach the URL. */
export const isLocal = (url: string) => /^https?:\/\/(localhost|127\.|\[::1\])/.test(url)
