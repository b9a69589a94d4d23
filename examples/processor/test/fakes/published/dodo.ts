/** Keys and types of the webhook payloads in Dodo's TypeScript SDK 2.47 (Apache-2.0). `?s` may be null, `*` is any object. */
export const DODO = {
  'payment.succeeded': `
    { business_id:s timestamp:s type:s data:{ payload_type:s billing:{ country:s city:s state:s street:s zipcode:s }
    brand_id:s business_id:s created_at:s currency:s customer:{ customer_id:s email:s name:s metadata:*
    phone_number:? } digital_products_delivered:b disputes:[] is_update_payment_method:b metadata:* payment_id:s
    payment_provider:s refunds:[] retry_attempt:n settlement_amount:n settlement_currency:s total_amount:n
    card_holder_name:?s card_issuing_country:?s card_last_four:?s card_network:?s card_type:?s
    checkout_session_id:?s custom_field_responses:? discount_id:?s discounts:? error_code:?s error_message:?s
    invoice_id:?s invoice_url:?s payment_link:?s payment_method:?s payment_method_id:?s payment_method_type:?s
    product_cart:? refund_status:?s settlement_tax:?n status:?s subscription_id:?s tax:?n updated_at:?s } }
  `,
  'refund.succeeded': `
    { business_id:s timestamp:s type:s data:{ payload_type:s brand_id:s business_id:s created_at:s customer:{
    customer_id:s email:s name:s metadata:* phone_number:? } is_partial:b metadata:* payment_id:s refund_id:s
    status:s amount:?n currency:?s reason:?s } }
  `,
  'dispute.opened': `
    { business_id:s timestamp:s type:s data:{ payload_type:s amount:s brand_id:s business_id:s created_at:s
    currency:s customer:{ customer_id:s email:s name:s metadata:* phone_number:? } dispute_id:s dispute_stage:s
    dispute_status:s payment_id:s payment_provider:s is_resolved_by_rdr:? reason:?s remarks:?s } }
  `,
  'subscription.active': `
    { business_id:s timestamp:s type:s data:{ payload_type:s addons:[] billing:{ country:s city:s state:s street:s
    zipcode:s } brand_id:s cancel_at_next_billing_date:b created_at:s credit_entitlement_cart:[] currency:s
    customer:{ customer_id:s email:s name:s metadata:* phone_number:? } metadata:* meter_credit_entitlement_cart:[]
    meters:[] next_billing_date:s on_demand:b payment_frequency_count:n payment_frequency_interval:s
    previous_billing_date:s product_id:s quantity:n recurring_pre_tax_amount:n status:s subscription_id:s
    subscription_period_count:n subscription_period_interval:s tax_inclusive:b trial_period_days:n
    cancellation_comment:?s cancellation_feedback:?s cancelled_at:?s custom_field_responses:?
    customer_business_name:?s discount_cycles_remaining:?n discount_id:?s discounts:? expires_at:?s paused_at:?s
    payment_method_id:?s scheduled_change:? tax_id:?s trial_amount:?n } }
  `,
}
