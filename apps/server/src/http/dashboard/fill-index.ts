import { html, markupOf } from '../../html.ts'

export type InstanceFacts = {
  baseUrl: string
  portalUrl: string
  signUp: 'first' | 'demo' | 'open' | 'invited'
  hasPlatform: boolean
  hasMail: boolean
  /** Name of the identity provider. */
  signOn: string | null
}

/** Puts what the dashboard needs before its first API call into the page (apps/dashboard/src/instance.ts). */
export const fillIndex = (index: string, { baseUrl, portalUrl, signUp, hasPlatform, hasMail, signOn }: InstanceFacts) =>
  index
    .replace(emptyMeta('base-url'), markupOf(html`name="tributary:base-url" content="${baseUrl}"`))
    .replace(emptyMeta('portal-url'), markupOf(html`name="tributary:portal-url" content="${portalUrl}"`))
    .replace(emptyMeta('sign-up'), markupOf(html`name="tributary:sign-up" content="${signUp}"`))
    .replace(emptyMeta('mail'), markupOf(html`name="tributary:mail" content="${hasMail ? 'yes' : 'no'}"`))
    .replace(emptyMeta('sign-on'), markupOf(html`name="tributary:sign-on" content="${signOn ?? ''}"`))
    .replace(emptyMeta('platform'), markupOf(html`name="tributary:platform" content="${hasPlatform ? 'yes' : 'no'}"`))

const emptyMeta = (name: string) => `name="tributary:${name}" content=""`
