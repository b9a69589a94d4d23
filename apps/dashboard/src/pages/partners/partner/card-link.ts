/** Footer link of a card to the full list. */
export const CARD_LINK =
  'mt-1 block rounded-b-xl border-line border-t px-5 py-2.5 text-soft text-xs hover:bg-hover/60 hover:text-ink focus-visible:-outline-offset-2'
