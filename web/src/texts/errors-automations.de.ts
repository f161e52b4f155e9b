/** German sentences by the code of an error: automations and flows. */
export const automationErrors: Record<string, string> = {
  // automations
  agents_invalid:
    "Einer der Agenten fehlt, ist doppelt, nicht für Sie freigegeben, oder sie warten im Kreis " +
    "aufeinander. Wählen Sie andere.",
  agents_failed: "Einige Agenten wurden nicht fertig. Der Grund steht bei jedem.",
  agent_timeout:
    "Der Agent hat zu lange gebraucht. Erhöhen Sie seine Zeitgrenze in der Regel.",
  dependency_failed: "Ein Agent, auf den er wartet, wurde nicht fertig.",
  client_rule_protected:
    "Diese Regel gehört nicht Ihnen allein. Bitten Sie die Administration, oder legen Sie eine " +
    "eigene an.",
  rule_changed:
    "Jemand anders hat die Regel geändert. Laden Sie sie neu und versuchen Sie es erneut.",
  no_rule_matches: "Keine aktive Regel passt zu Typ und Herkunft.",
  only_rule: "Nur eine Regel passt.",
  most_specific_rule: "Von mehreren Regeln nennt diese das Medium am genauesten.",
  rule_not_found:
    "Diese Regel gibt es nicht, oder Sie dürfen sie nicht sehen. Laden Sie die Liste " +
    "neu.",
  rule_not_yours:
    "Die Regel dieses Laufs gilt nicht mehr für Ihre Medien. Senden Sie sie erneut.",
  too_many_rules: "Sie haben die größte Zahl an Regeln. Löschen Sie zuerst eine.",
  run_not_found: "Diesen Lauf haben Sie nicht. Laden Sie die Liste neu.",
  still_in_work: "Der Lauf ist noch nicht zu Ende. Warten Sie, oder brechen Sie ihn ab.",
  nothing_to_run:
    "Keine Regel passte, daher wurde das Medium nicht behalten. Senden Sie es erneut.",
  nothing_to_retry:
    "An diesem Lauf ist nichts zu wiederholen. Führen Sie alles erneut aus.",
  too_many_runs:
    "Zu viele Ihrer Läufe sind unterwegs. Warten Sie, oder brechen Sie einige ab.",
  too_many_runs_kept: "Sie haben die größte Zahl an Läufen. Löschen Sie alte.",
  medium_not_readable:
    "Dieses Medium ließ sich bei keinem Versuch lesen. Senden Sie es erneut.",
  medium_gone: "Das Medium ist nicht mehr gespeichert. Senden Sie es erneut.",
  no_words_found: "Das Medium enthält keinen Text. Senden Sie ein anderes.",
  transcription_unavailable:
    "Tonaufnahmen kann diese Anlage nicht lesen. Wenden Sie sich an die Administration.",
  medium_not_read:
    "Das Medium ließ sich nicht lesen. Die Administration findet den Grund im Protokoll.",
  document_refused: "Das Dokument wurde nicht angenommen. Senden Sie ein anderes.",
  agent_lost:
    "Der Server endete bei jedem Versuch dieses Agenten. Die Administration findet den Grund im Protokoll.",
  source_refused:
    "Der Bucket lässt sich nicht lesen. Prüfen Sie Region, Namen, Schlüssel und ihre Rechte.",
  source_unreachable: "Der Bucket antwortet nicht. Prüfen Sie seine Adresse.",
  source_unreadable:
    "Die Quelle ließ sich nicht lesen. Die Administration findet den Grund im Protokoll.",
  source_not_found: "Diese Quelle haben Sie nicht. Laden Sie die Liste neu.",
  too_many_sources: "Sie haben die größte Zahl an Quellen. Löschen Sie zuerst eine.",
  folder_not_allowed: "Dieser Ordner liegt nicht in den erlaubten (AUTOMATION_FOLDERS).",
  no_webhook:
    "Nur ein Webhook hat ein Geheimnis, das sich ersetzen lässt. Wählen Sie einen.",
  schedule_not_found: "Diesen Zeitplan haben Sie nicht. Laden Sie die Liste neu.",
  too_many_schedules: "Sie haben die größte Zahl an Zeitplänen. Löschen Sie zuerst einen.",
  cron_invalid:
    "Das ist keine Angabe für einen Zeitplan: Minute, Stunde, Tag, Monat, Wochentag, etwa 0 9 * * 1-5.",
  cron_never: "Diesen Zeitpunkt gibt es nie. Ändern Sie Tag oder Monat.",
  time_zone_invalid: "Diese Zeitzone gibt es nicht. Nehmen Sie eine wie Europe/Berlin.",

  // flows
  flow_not_found:
    "Diesen Ablauf gibt es nicht, oder Sie dürfen ihn nicht ausführen. Wählen Sie " +
    "einen anderen.",
  flow_key_not_found:
    "Sie haben noch keinen Schlüssel für Abläufe. Bitten Sie die Administration um " +
    "einen Ablauf.",
  provider_account_inactive:
    "Ihr Konto bei Langflow ist deaktiviert. Wenden Sie sich an die Administration.",
  provider_credentials_refused:
    "Der Anbieter der Abläufe weist die gespeicherte Anmeldung ab. Versuchen Sie es erneut; wenn es bleibt, fragen Sie die Administration.",
  provider_refused:
    "Langflow antwortet, ist aber nicht sicher. Der Betreiber muss es mit LANGFLOW_AUTO_LOGIN=false starten.",
};
