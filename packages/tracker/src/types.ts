/** What the page tells the tracker: the attributes of its script tag, or the argument of `startTracker`. */
export type Settings = {
  /** The number of the program, from its settings in the dashboard. */
  programId: number | string
  /** Where the service is: `https://track.example.com`, or a path of the page's own host that is proxied to it. */
  apiBase: string
  /** The domain of the cookie, where the widest one that the browser accepts is not what is wanted. */
  cookieDomain?: string | undefined
  /** Says in the console what happens. */
  debug?: boolean | string | undefined
  /** With `required`, nothing is stored or sent before `consent('granted')`. Whatever else stands here means the same. */
  consent?: 'required' | undefined
}

/** The answer to a sign-up. `provisional` is there until the merchant's server has sent the lead. */
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
  /** The visitor's `click_id`, or null for somebody who did not come through a referral link. */
  getClickId(): string | null
  /** Counts a visit of the link, which is the page's own address unless another is given. Once a visit, like any click. */
  trackClick(url?: string): Promise<string | null>
  /** The browser-side sign-up call. Resolves to nothing where there is no click to tell of, or nobody takes it. */
  signup(customerKey: string, email?: string): Promise<SignupAnswer | undefined>
  /** Anything but `granted` denies. */
  consent(decision: 'granted' | 'denied'): void
  /** Calls back once it is known whether there is a `click_id`; while consent is awaited, only one that is there already is. */
  ready(callback: (clickId: string | null) => void): void
}

/** A call made before the script has loaded: `['signup', 'user_42']`. */
export type QueuedCall = [method: keyof Service, ...args: unknown[]]

declare global {
  interface Window {
    service?: Service
    serviceQueue?: { push(...calls: QueuedCall[]): unknown }
  }
}
