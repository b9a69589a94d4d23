/** Keys and types of Polar's OpenAPI document 2026-10 (Apache-2.0). `*` is any object. */
export const POLAR = {
  'order.paid': `
    { type:s timestamp:s data:{ id:s created_at:s modified_at:s status:s paid:b subtotal_amount:n discount_amount:n
    net_amount:n tax_amount:n total_amount:n applied_balance_amount:n due_amount:n refunded_amount:n
    refunded_tax_amount:n currency:s billing_reason:s billing_name:s billing_address:* invoice_number:s
    is_invoice_generated:b receipt_number:s seats:n customer_id:s product_id:s discount_id:s subscription_id:s
    checkout_id:s next_payment_attempt_at:s metadata:* custom_field_data:* platform_fee_amount:n
    platform_fee_currency:s customer:{ id:s created_at:s modified_at:s metadata:* external_id:s email:s
    email_verified:b type:s name:s billing_name:s billing_address:* tax_id:[s] locale:s organization_id:s
    default_payment_method_id:s deleted_at:s first_user_event_at:s avatar_url:s } product:{ metadata:* id:s
    created_at:s modified_at:s trial_interval:s trial_interval_count:n name:s description:s visibility:s
    recurring_interval:s recurring_interval_count:n meter_interval:s meter_interval_count:n is_recurring:b
    is_archived:b organization_id:s } discount:{ duration:s type:s amount:n currency:s amounts:* created_at:s
    modified_at:s id:s metadata:* name:s code:s starts_at:s ends_at:s max_redemptions:n
    max_redemptions_per_customer:n redemptions_count:n organization_id:s } subscription:{ metadata:* created_at:s
    modified_at:s id:s amount:n currency:s recurring_interval:s recurring_interval_count:n status:s
    current_period_start:s current_period_end:s current_meter_period_start:s current_meter_period_end:s
    trial_start:s trial_end:s cancel_at_period_end:b canceled_at:s started_at:s ends_at:s ended_at:s past_due_at:s
    pause_at_period_end:b paused_at:s resumes_at:s customer_id:s product_id:s discount_id:s checkout_id:s seats:n
    customer_cancellation_reason:s customer_cancellation_comment:s } items:[{ created_at:s modified_at:s id:s
    label:s amount:n tax_amount:n proration:b product_price_id:s }] description:s refundable_amount:n
    refundable_tax_amount:n } }
  `,
  'refund.created': `
    { type:s timestamp:s data:{ created_at:s modified_at:s id:s metadata:* status:s reason:s amount:n tax_amount:n
    currency:s organization_id:s order_id:s subscription_id:s customer_id:s revoke_benefits:b dispute:{ created_at:s
    modified_at:s id:s status:s resolved:b closed:b amount:n tax_amount:n currency:s reason:s evidence_due_by:s
    past_due:b order_id:s payment_id:s } } }
  `,
  'subscription.canceled': `
    { type:s timestamp:s data:{ created_at:s modified_at:s id:s amount:n currency:s recurring_interval:s
    recurring_interval_count:n status:s current_period_start:s current_period_end:s current_meter_period_start:s
    current_meter_period_end:s trial_start:s trial_end:s cancel_at_period_end:b canceled_at:s started_at:s ends_at:s
    ended_at:s past_due_at:s pause_at_period_end:b paused_at:s resumes_at:s customer_id:s product_id:s discount_id:s
    checkout_id:s seats:n customer_cancellation_reason:s customer_cancellation_comment:s metadata:*
    custom_field_data:* customer:{ id:s created_at:s modified_at:s metadata:* external_id:s email:s email_verified:b
    type:s name:s billing_name:s billing_address:* tax_id:[s] locale:s organization_id:s default_payment_method_id:s
    deleted_at:s first_user_event_at:s avatar_url:s } product:{ id:s created_at:s modified_at:s trial_interval:s
    trial_interval_count:n name:s description:s visibility:s recurring_interval:s recurring_interval_count:n
    meter_interval:s meter_interval_count:n is_recurring:b is_archived:b organization_id:s metadata:* prices:[*]
    benefits:[*] medias:[{ id:s organization_id:s name:s path:s mime_type:s size:n storage_version:s checksum_etag:s
    checksum_sha256_base64:s checksum_sha256_hex:s last_modified_at:s version:s service:s is_uploaded:b created_at:s
    size_readable:s public_url:s }] attached_custom_fields:[{ custom_field_id:s custom_field:? order:n required:b }]
    } discount:{ duration:s type:s amount:n currency:s amounts:* created_at:s modified_at:s id:s metadata:* name:s
    code:s starts_at:s ends_at:s max_redemptions:n max_redemptions_per_customer:n redemptions_count:n
    organization_id:s } prices:[{ created_at:s modified_at:? id:s source:s amount_type:s price_currency:s
    tax_behavior:? is_archived:b product_id:s type:s recurring_interval:s price_amount:n legacy:b }] meters:[{
    created_at:s modified_at:s id:s consumed_units:n credited_units:n amount:n meter_id:s meter:{ metadata:*
    created_at:s modified_at:s id:s name:s unit:s custom_label:s custom_multiplier:n filter:* aggregation:*
    organization_id:s archived_at:s } }] pending_update:{ created_at:s modified_at:s id:s applies_at:s product_id:s
    seats:n } } }
  `,
}
