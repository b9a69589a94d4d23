import type { AdjustmentType } from '@tributary/contract'
import { useState } from 'react'
import { useProgram } from '~/app/program-context.ts'
import { Button } from '~/components/controls/button.tsx'
import { UndoDialog } from './undo-dialog.tsx'
import { undoLabel } from './undo-text.ts'

type Props = { adjustment: { id: number; type: AdjustmentType; reversed: boolean } | null; saleId: number | null }

export const UndoButton = ({ adjustment, saleId }: Props) => {
  const { may } = useProgram()
  const [isUndoing, setUndoing] = useState(false)
  if (!adjustment || adjustment.reversed || !may('payout:manage')) return null
  return (
    <>
      <Button size="small" onClick={() => setUndoing(true)}>
        {undoLabel(adjustment.type)}
      </Button>
      <UndoDialog adjustment={{ ...adjustment, saleId }} open={isUndoing} onClose={() => setUndoing(false)} />
    </>
  )
}
