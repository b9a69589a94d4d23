import { CircleCheck, CircleSlash, X } from 'lucide-react'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { Button } from '~/components/controls/button.tsx'

type SetUpSearch = ListSearch & { processor?: string | undefined }

/** Shown after the payment processor redirects back. */
export const ConnectResult = () => {
  const { search, clear } = useListSearch<SetUpSearch>()
  if (search.processor !== 'connected' && search.processor !== 'denied') return null
  const isConnected = search.processor === 'connected'
  return (
    <div
      role="status"
      className={`flex items-start gap-2.5 rounded-xl px-5 py-3.5 text-sm ${isConnected ? 'bg-good-soft text-good-ink' : 'bg-warn-soft text-warn-ink'}`}
    >
      {isConnected ? (
        <CircleCheck aria-hidden className="mt-px size-4 shrink-0" />
      ) : (
        <CircleSlash aria-hidden className="mt-px size-4 shrink-0" />
      )}
      <p className="flex-1">
        {isConnected
          ? 'Your account is connected. New payments will be tracked from now on.'
          : 'Your account was not connected because access was denied. You can try again at any time.'}
      </p>
      <Button look="quiet" size="icon" className="-my-1.5 text-current" aria-label="Dismiss" onClick={clear}>
        <X aria-hidden />
      </Button>
    </div>
  )
}
