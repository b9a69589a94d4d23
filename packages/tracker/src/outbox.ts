import { attempt } from './attempt.ts'
import { getClickId, keepClickId, widestDomain } from './cookies.ts'
import { log, STORAGE_KEY, settings } from './settings.ts'
import type { SignupAnswer } from './types.ts'

type Click = Record<string, unknown>
type Answer = SignupAnswer & { cookie_window_days: number }

/** One visit: a tab, until it is closed. Where storage is off, it lasts as long as the page. */
type Visit = {
  id: string
  /** The link that was counted last. Seen again, it is the same visit of the same link. */
  aff?: string
  /** Those that were not answered yet. */
  clicks: Click[]
}

let visit: Visit
/** Links that were seen while nothing may be stored or sent: consent is missing, or the page is shown to nobody yet. */
let held: [click: Click, aff: string | undefined][] = []
let waiting: ((clickId: string | null) => void)[] = []
let isSending: boolean
let failures = 0

/** A text needs no preflight, and keepalive lets it arrive although the page is left. Nothing means: to be sent again. */
export const post = async (path: string, body: Click) => {
  try {
    const response = await fetch(`${settings.apiBase}api/v1/track/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      keepalive: true,
    })
    const answer = await response.json()
    log((answer.error || answer).message || JSON.stringify(answer))
    // 429 and up: too many calls, or trouble over there. Anything below is final.
    if (response.status < 429) return answer
  } catch (_) {
    log('no answer')
  }
}

export const submit = (click: Click, aff?: string) => {
  held.push([click, aff])
  work()
}

/** Calls back when it is known whether there is a click, which is when nothing is under way. */
export const whenIdle = (callback: (clickId: string | null) => void) => {
  waiting.push(callback)
  work()
}

/** Does what may be done now. Called whenever that could have changed. */
export const work = () => {
  const { consent } = settings
  if (consent === 'required' || (document as { prerendering?: boolean }).prerendering) return log('waiting for consent')
  if (consent === 'denied') {
    keepClickId('', 0)
    attempt(() => delete sessionStorage[STORAGE_KEY])
    return settle()
  }
  // Read anew each time: another page of this tab may have gone on while this one lay in the back-forward cache.
  visit = attempt(() => JSON.parse(sessionStorage[STORAGE_KEY])) || visit || { id: `${Math.random()}`, clicks: [] }
  for (const [click, aff] of held)
    if (aff && aff === visit.aff) log('counted before')
    else {
      visit.aff = aff || visit.aff
      // Both together name the click, so that the service recognises it when it is sent again.
      click.session_id = visit.id
      click.visit_id = Math.random()
      visit.clicks.push(click)
      save()
    }
  held = []
  if (!isSending) send()
}

const save = () =>
  attempt(() => {
    sessionStorage[STORAGE_KEY] = JSON.stringify(visit)
  })

const send = async () => {
  const [click] = visit.clicks
  if (!click) return settle()
  isSending = true
  click.existing_click_id = getClickId()
  const isFirstParty = settings.apiBase.startsWith(`${location.origin}/`)
  const answer = await post(isFirstParty ? `click?first_party=1&cookie_domain=${widestDomain() || ''}` : 'click', click)
  isSending = false
  if (answer) {
    failures = 0
    finish(click.visit_id, answer, isFirstParty)
    // Should consent have been withdrawn meanwhile, this takes away again what was just kept.
    work()
  } else {
    if (failures++ < 3) setTimeout(work, 500 * 4 ** failures)
    settle()
  }
}

const finish = (id: unknown, { click_id, cookie_window_days }: Answer, isFirstParty: boolean) => {
  visit.clicks = visit.clicks.filter(({ visit_id }) => visit_id !== id)
  save()
  // Safari cuts the life of what a script writes to a week, so a cookie that came by header is left as it is.
  if (click_id && !(isFirstParty && getClickId() === click_id)) keepClickId(click_id, cookie_window_days * 86_400)
}

const settle = () => {
  for (const callback of waiting) setTimeout(callback, 0, getClickId())
  waiting = []
}
