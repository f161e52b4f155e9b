/** German sentences by the code of an error: requests, credentials, users, rules of access. */
export const requestErrors: Record<string, string> = {
  // requests
  json_expected: "Senden Sie den Inhalt als JSON, mit „Content-Type: application/json“.",
  json_invalid:
    "Der Inhalt ist kein gültiges JSON. Prüfen Sie Anführungszeichen und Kommas.",
  multipart_expected: "Senden Sie die Datei als multipart/form-data im Feld „file“.",
  field_too_large: "Ein Feld ist zu lang. Kürzen Sie es.",
  method_not_allowed:
    "Diese Adresse nimmt diese Art von Anfrage nicht an. Welche sie annimmt, steht " +
    "unter /docs.",
  headers_too_large:
    "Adresse und Kopfzeilen sind länger als 32 KB. Senden Sie darin weniger.",
  headers_too_slow:
    "Die Kopfzeilen kamen nicht rechtzeitig an. Senden Sie die Anfrage noch einmal.",
  request_unreadable: "Das ist keine HTTP-Anfrage. Prüfen Sie, was gesendet wird.",
  target_unreadable:
    "Aus dem Pfad und der Kopfzeile Host ergibt sich keine Adresse. Senden Sie einen Pfad, der mit / " +
    "beginnt, und den Namen dieses Servers als Host.",
  connect_unsupported:
    "Dieser Server ist kein Proxy. Senden Sie eine Anfrage an einen seiner Pfade.",
  expectation_unmet:
    "Dieser Server erfüllt nur die Erwartung 100-continue. Senden Sie die Anfrage ohne Expect.",
  host_missing: "Senden Sie eine Kopfzeile Host mit dem Namen dieses Servers.",
  host_ambiguous: "Senden Sie genau eine Kopfzeile Host.",
  host_unknown: "Dieser Anschluss antwortet nur unter seinen eigenen Namen.",
  host_not_allowed: "Dieser Name gehört nicht zu diesem Server. Verwenden Sie PUBLIC_URL.",
  origin_not_allowed: "Seiten anderer Herkunft dürfen das nicht aufrufen.",
  browser_refused:
    "Dieser Anschluss ist für Dienste, nicht für Browser. Verwenden Sie PORT.",
  idempotency_key_invalid: "Der Idempotency-Key ist zu lang. Verwenden Sie einen kürzeren.",
  idempotency_key_too_long:
    "Der Idempotency-Key ist länger als {max} Zeichen. Kürzen Sie ihn.",
  file_name_required: "Nennen Sie den Namen der Datei mit ihrer Endung.",
  request_cancelled: "Die Anfrage wurde abgebrochen.",
  client_left: "Die Verbindung endete vor der Antwort. Versuchen Sie es erneut.",
  too_complex: "Das ist zu aufwendig. Vereinfachen oder teilen Sie es.",
  response_schema_invalid:
    "Dieses Schema der Antwort kann nicht verwendet werden. Ändern Sie es.",
  message_too_large:
    "Diese Nachricht ist für die Warteschlange zu groß. Senden Sie weniger.",
  queue_unavailable:
    "Die Warteschlange ist nicht erreichbar. Versuchen Sie es gleich erneut.",
  message_unsigned:
    "Die Nachricht trägt keine Unterschrift dieser Installation. Unterschreiben Sie sie mit SERVICE_SECRET, oder rufen Sie den Dienst über HTTP auf.",
  message_denied:
    "Der zuständige Dienst sagt, dass es nicht so ist. Getan wurde nichts. Prüfen Sie, wer bei RabbitMQ senden darf.",
  user_not_deleted: "Niemand hat diesen Benutzer gelöscht. Löschen Sie ihn zuerst.",
  message_invalid: "Die Nachricht ist keine, die hier verstanden wird.",
  worker_ended:
    "Bei jedem Versuch endete der Prozess, der sie bearbeitete. Lesen Sie sein " +
    "Protokoll.",
  queue_not_found: "Eine Warteschlange dieses Namens gibt es hier nicht.",
  upstream_invalid:
    "Ein Teil des Servers antwortete unverständlich. Versuchen Sie es erneut.",
  service_not_configured:
    "Ein Teil des Servers, der dafür nötig ist, ist nicht eingerichtet.",
  core_not_configured:
    "Der Dienst der Agenten erreicht den Kern nicht. LLM_CORE_URL fehlt.",
  sibling_refused:
    "Zwei Dienste haben verschiedene Geheimnisse. Die Administration muss sie angleichen.",
  file_key_missing:
    "Die Datei ist mit einem Schlüssel verschlüsselt, den der Server nicht hat. Die " +
    "Administration muss ihn in FILES_ENCRYPTION_KEY ergänzen.",
  stored_file_damaged:
    "Die gespeicherte Datei wurde abgeschnitten oder verändert. Laden Sie sie neu hoch.",
  storage_refused:
    "Der Dateispeicher weist den Server ab. Die Administration muss S3 prüfen.",

  // credentials
  token_invalid: "Die Anmeldung ist ungültig. Melden Sie sich erneut an.",
  refresh_token_invalid: "Die Anmeldung gilt nicht mehr. Melden Sie sich erneut an.",
  credentials_invalid: "Die Kopfzeile Authorization muss „Bearer“ und ein Token enthalten.",
  credentials_ambiguous: "Senden Sie nur eine Anmeldung: Token, API-Schlüssel oder Cookie.",
  credential_unchecked:
    "Die Anmeldung lässt sich gerade nicht prüfen. Versuchen Sie es erneut.",
  keys_unavailable:
    "Die Anmeldung lässt sich gerade nicht prüfen. Versuchen Sie es erneut.",
  revocations_unknown:
    "Die Anmeldung lässt sich gerade nicht prüfen. Versuchen Sie es erneut.",
  api_key_invalid:
    "Dieser API-Schlüssel ist unbekannt, widerrufen oder abgelaufen. Erstellen Sie einen neuen.",
  api_key_not_accepted: "Hier gilt kein API-Schlüssel. Melden Sie sich an.",
  scope_missing:
    "Diesem API-Schlüssel fehlt das Recht dafür. Verwenden Sie einen, der es hat.",
  model_task_unsupported:
    "Dieser Anbieter kann das hier nicht. Wählen Sie das Modell eines anderen.",
  image_model_missing:
    "Hier ist kein Modell, das Bilder erzeugt. Die Administration kann eines unter „Modelle“ hinzufügen.",
  images_invalid:
    "Der Anbieter hat nicht mit Bildern als PNG, JPEG oder WebP geantwortet. Wählen Sie ein anderes Modell.",
  images_unavailable:
    "Bilder lassen sich hier nicht erzeugen. Wenden Sie sich an Ihre Administration.",
  image_not_editable:
    "Das ist kein PNG, JPEG oder WebP. Nennen Sie ein Bild der Unterhaltung.",
  images_too_large: "Die Bilder sind zusammen zu groß. Nennen Sie weniger.",
  conversation_file_unknown: "Diese Datei gibt es in der Unterhaltung nicht.",
  form_invalid: "Die Dateien sind nicht richtig beschrieben. Senden Sie sie erneut.",
  image_missing: "Im Formular ist kein Bild. Senden Sie eins im Feld „image“.",
  grant_missing:
    "Das haben Sie diesem Programm nicht erlaubt. Verbinden Sie es erneut, und erlauben Sie das.",
  mcp_token_not_accepted:
    "Ein Token eines MCP-Clients gilt nur für /mcp. Melden Sie sich an, oder verwenden Sie einen API-Schlüssel.",
  mcp_token_invalid:
    "Das Token dieses Clients ist unbekannt, widerrufen oder abgelaufen. Erneuern Sie es, oder melden Sie sich neu an.",
  mcp_redirect_invalid:
    "Eine Rückkehradresse braucht https, diesen Rechner oder das eigene Schema eines Programms.",
  mcp_client_unknown:
    "Dieses Programm ist hier nicht registriert oder wurde zu lange nicht benutzt. Verbinden Sie es erneut.",
  mcp_client_document:
    "Was über dieses Programm gesagt wird, ist nicht zu gebrauchen. Fragen Sie den Hersteller.",
  mcp_request_invalid:
    "Das Programm fragt nicht sicher oder nicht für diesen Server. Aktualisieren Sie es.",
  mcp_redirect_foreign:
    "Das Programm will an eine Adresse zurück, die nicht seine eigene ist. Nichts wurde erlaubt. Verbinden Sie es erneut.",
  mcp_grant_foreign:
    "Ihr Konto kommt von einem anderen Aussteller, und Sie können hier nichts erlauben. Geben Sie dem Programm ein Token dieses Ausstellers.",
  mcp_grant_not_found: "Einem solchen Programm haben Sie nichts erlaubt.",
  mcp_clients_limited: "MCP-Programme fragen zu oft an. Versuchen Sie es später erneut.",
  account_elsewhere: "Ein anderer Anmeldedienst führt Ihr Konto. Ändern Sie es dort.",
  session_unknown:
    "Ein anderer Anmeldedienst hat diese Sitzung begonnen. Beenden Sie sie dort.",
  setup_code_wrong: "Das ist nicht das Kennwort, das der erste Start ausgegeben hat.",
  already_set_up: "Die Administration hat schon ein Kennwort. Melden Sie sich an.",
  oidc_refused:
    "Der Anmeldedienst hat abgelehnt oder unverständlich geantwortet. Melden Sie sich erneut an.",
  oidc_answer_invalid:
    "Die Antwort des Anmeldedienstes ist zu groß. Wenden Sie sich an Ihre " +
    "Administration.",
  oidc_provider_unknown: "Diesen Anmeldedienst gibt es hier nicht.",
  return_to_foreign: "Nach der Anmeldung geht es nur zu Seiten dieses Servers.",
  flow_key_invalid:
    "Dieser Schlüssel für Abläufe ist ungültig. Lesen Sie Ihren eigenen auf der Seite Ihres Kontos für Abläufe nach.",

  // users, groups, roles
  role_unknown: "Diese Rolle gibt es nicht. Legen Sie sie zuerst an.",
  role_not_found: "Diese Rolle gibt es nicht.",
  role_built_in: "Eingebaute Rollen lassen sich nicht ändern. Legen Sie eine eigene an.",
  others_roles:
    "Sie dürfen nur die Rechte Ihrer eigenen Rollen lesen. Fragen Sie die " +
    "Administration.",
  user_missing: "Nennen Sie die Person.",
  user_id_required: "Nennen Sie die Person.",
  user_id_not_permitted: "Nur Dienste dürfen eine andere Person nennen.",
  member_not_found: "Diese Person ist nicht in der Gruppe. Laden Sie die Liste neu.",
  nested_group_not_found:
    "Diese Gruppe ist nicht in der anderen enthalten. Laden Sie die Liste neu.",
  group_lookup_failed:
    "Die Mitglieder der Gruppe ließen sich nicht lesen. Versuchen Sie es erneut.",
  mark_not_found: "Diese Markierung gibt es nicht. Laden Sie die Liste neu.",
  folder_not_registered: "Registrieren Sie den Ordner vor seinem Inhalt.",
  folder_read_only:
    "Sie dürfen diesen Ordner lesen, nicht ändern. Bitten Sie den Eigentümer.",
  document_read_only:
    "Sie dürfen dieses Dokument lesen, nicht ändern. Bitten Sie den Eigentümer.",
  lock_token_invalid:
    "Die Sperre ist nicht die, die Sie erhalten haben. Laden Sie die Seite neu.",
  budget_not_found: "Dieses Budget gibt es nicht. Laden Sie die Liste neu.",

  time_zone_unknown:
    "Die Datenbank kennt diese Zeitzone nicht. Wählen Sie eine andere, etwa UTC.",

  // templates and texts
  template_read_only:
    "Sie dürfen diese Vorlage benutzen, nicht ändern. Bitten Sie den Eigentümer.",
  template_built_in: "Eingebaute Vorlagen lassen sich nicht löschen. Schalten Sie sie ab.",
  template_invalid:
    "Lücken und Variablen der Vorlage passen nicht zueinander. Prüfen Sie ihre Namen.",
  conversion_not_found: "Diesen Text haben Sie nicht. Laden Sie die Liste neu.",
  agent_invalid:
    "Nur Agenten, die aus Dokumenten antworten, haben Einstellungen zur Suche. " +
    "Lassen Sie sie weg.",
};
