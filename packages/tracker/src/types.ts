/** Attributes of the script tag, or the argument of `startTracker`. */
export type Settings = {
  /** The program ID from the program settings in the dashboard. */
  programId: number | string
  /** The address of the service: `https://track.example.com`, or a path on the page's own host that is proxied to it. */
  apiBase: string
  /** Domain of the cookie. Defaults to the widest domain that the browser accepts. */
  cookieDomain?: string | undefined
  /** Logs what happens to the console. */
  debug?: boolean | string | undefined
  /** With `required`, nothing is stored or sent before `consent('granted')`. Any other value means the same. */
  consent?: 'required' | undefined
  /** Treats the browser's Global Privacy Control signal as a refusal of consent. Any other value means the same. */
  gpc?: 'respect' | undefined
  /** Further hosts of payment links, separated by commas, such as a custom domain of Stripe Checkout. */
  paymentHosts?: string | undefined
}

/** The response to `signup`. `provisional` is true until your server sends the lead. */
export type SignupAnswer = {
  success: boolean
  click_id?: string
  customer_key?: string
  lead_id?: number
  provisional?: true
  duplicate?: true
  error?: { code: string; message: string }
}

/** `window.service`. */
export type Service = {
  /** The visitor's `click_id`, or null if they did not come through a referral link. */
  getClickId(): string | null
  /** Records a visit through the link, by default the URL of the page. Each link counts once per visit. */
  trackClick(url?: string): Promise<string | null>
  /** Sends a lead from the browser. Resolves to undefined if there is no click or the service cannot be reached. */
  signup(customerKey: string, email?: string): Promise<SignupAnswer | undefined>
  /** Anything but `granted` means denied. */
  consent(decision: 'granted' | 'denied'): void
  /** Calls back once it is known whether there is a `click_id`. Without consent, only an existing one is passed. */
  ready(callback: (clickId: string | null) => void): void
}

/** A call made before the script has loaded, such as `['signup', 'user_42']`. */
export type QueuedCall = [method: keyof Service, ...args: unknown[]]

declare global {
  interface Window {
    service?: Service
    serviceQueue?: { push(...calls: QueuedCall[]): unknown }
  }
}
