/** Stripe's timestamps have whole seconds, and a payment may follow a click within the same second. */
export const REST_OF_SECOND_MS = 999
