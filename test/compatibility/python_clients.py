"""Public clients of PyPI, unchanged and with their defaults, against a running server.

Prints a line of JSON for each: what was tried, and why it failed if it did.
"""

import json
import os

URL, KEY, MODEL = (os.environ[name] for name in ("SERVER", "KEY", "MODEL"))
os.environ.update(
    OPENAI_API_KEY=KEY,
    OPENAI_BASE_URL=f"{URL}/v1",
    ANTHROPIC_API_KEY=KEY,
    ANTHROPIC_BASE_URL=URL,
    OPENAI_AGENTS_DISABLE_TRACING="1",
    LITELLM_LOCAL_MODEL_COST_MAP="True",
)
EMBEDDING_MODEL = "hashed-words-v1"
QUESTION = "What is the weather in Bonn?"
MESSAGES = [{"role": "user", "content": QUESTION}]


def tried(client, what, work, expected="Hello there"):
    failure = None
    try:
        answer = work()
        if answer != expected:
            failure = f"answered {answer!r}"[:200]
    except Exception as error:  # any failure of a client is a result here
        failure = f"{type(error).__name__}: {error}"[:200]
    print(json.dumps({"client": client, "what": what, "failure": failure}), flush=True)


def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"Sun in {city}"


def openai_responses():
    from openai import OpenAI

    client = OpenAI()
    first = client.responses.create(model=MODEL, input=QUESTION)
    return client.responses.create(
        model=MODEL, input="And?", previous_response_id=first.id
    ).output_text


def openai_embeddings():
    from openai import OpenAI

    made = OpenAI().embeddings.create(model=EMBEDDING_MODEL, input=[QUESTION, "And?"])
    return [len(one.embedding) for one in made.data]


def openai_images():
    from openai import OpenAI

    client = OpenAI()
    asked = {"model": "gpt-image-1", "prompt": "A boat"}
    picture = ("boat.png", b"\x89PNG\r\n\x1a\n", "image/png")
    made = [
        client.images.generate(**asked),
        client.images.edit(**asked, image=[picture, picture]),
    ]
    events = client.images.edit(**asked, image=picture, stream=True)
    return [len(one.data) for one in made] + [event.type for event in events]


def openai_sound():
    from openai import OpenAI

    client = OpenAI()
    spoken = client.audio.speech.create(
        model="gpt-4o-mini-tts", voice="alloy", input="Hello."
    )
    heard = client.audio.transcriptions.create(
        model="gpt-4o-transcribe", file=("talk.wav", b"RIFF-sound")
    )
    return [spoken.read(), heard.text]


def a2a_task(streaming):
    import asyncio
    import uuid

    import httpx
    from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
    from a2a.types import GetTaskRequest, Message, Part, Role, SendMessageRequest

    async def ask():
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx.AsyncClient(headers=headers, timeout=60) as http:
            address = f"{URL}/a2a/{os.environ['AGENT']}"
            card = await A2ACardResolver(http, address).get_agent_card()
            config = ClientConfig(httpx_client=http, streaming=streaming)
            client = ClientFactory(config).create(card)
            message = Message(
                message_id=str(uuid.uuid4()),
                role=Role.ROLE_USER,
                parts=[Part(text=QUESTION)],
            )
            found = None
            async for event in client.send_message(SendMessageRequest(message=message)):
                if event.HasField("task"):
                    found = event.task
            task = await client.get_task(GetTaskRequest(id=found.id))
            return "".join(part.text for one in task.artifacts for part in one.parts)

    return asyncio.run(ask())


def langchain_embeddings():
    from langchain_openai import OpenAIEmbeddings

    # tokens would need a file of the internet
    made = OpenAIEmbeddings(model=EMBEDDING_MODEL, check_embedding_ctx_length=False)
    return [len(one) for one in made.embed_documents([QUESTION, "And?"])]


def anthropic_messages():
    from anthropic import Anthropic

    with Anthropic().messages.stream(model=MODEL, max_tokens=100, messages=MESSAGES) as stream:
        return "".join(stream.text_stream)


def openai_agents():
    from agents import Agent, Runner, function_tool

    # a slash in a model's name chooses a provider there, so the name alone
    agent = Agent(
        name="A",
        instructions="Be brief.",
        model=MODEL.split("/")[-1],
        tools=[function_tool(get_weather)],
    )
    return Runner.run_sync(agent, QUESTION).final_output


def langchain_chat():
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=MODEL).invoke(QUESTION).content


def langchain_agent(chat):
    def work():
        from langchain.agents import create_agent

        agent = create_agent(chat(), tools=[get_weather])
        content = agent.invoke({"messages": MESSAGES})["messages"][-1].content
        return content if isinstance(content, str) else content[-1]["text"]

    return work


def langchain_responses():
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=MODEL, use_responses_api=True)


def langchain_anthropic():
    from langchain_anthropic import ChatAnthropic

    return ChatAnthropic(model=MODEL)


def litellm_anthropic():
    import litellm

    reply = litellm.completion(
        model=f"anthropic/{MODEL}", api_base=URL, api_key=KEY, messages=MESSAGES
    )
    return reply.choices[0].message.content


def litellm_responses():
    import litellm

    reply = litellm.responses(
        model=f"openai/{MODEL}", api_base=f"{URL}/v1", api_key=KEY, input=QUESTION
    )
    return reply.output[-1].content[0].text


def llama_index_chat():
    from llama_index.llms.openai_like import OpenAILike

    model = OpenAILike(model=MODEL, api_base=f"{URL}/v1", api_key=KEY, is_chat_model=True)
    return model.complete(QUESTION).text


tried("openai (PyPI)", "responses, continued", openai_responses)
tried("openai (PyPI)", "embeddings", openai_embeddings, [1024, 1024])
EDITED = ["image_edit.partial_image", "image_edit.completed"]
tried("openai (PyPI)", "images, made and edited", openai_images, [1, 1, *EDITED])
tried(
    "openai (PyPI)", "speech and a transcription", openai_sound, [b"ID3-sound", "Hello."]
)
tried("anthropic (PyPI)", "messages, streamed", anthropic_messages)
tried("openai-agents", "a tool", openai_agents, "All done.")
tried("langchain-openai", "chat", langchain_chat)
tried("langchain-openai", "embeddings of texts", langchain_embeddings, [1024, 1024])
tried(
    "langchain-openai",
    "an agent with a tool, by responses",
    langchain_agent(langchain_responses),
    "All done.",
)
tried(
    "langchain-anthropic",
    "an agent with a tool",
    langchain_agent(langchain_anthropic),
    "All done.",
)
tried("litellm", "messages", litellm_anthropic)
tried("litellm", "responses", litellm_responses)
tried("llama-index-llms-openai-like", "chat", llama_index_chat)
tried("a2a-sdk", "a task of an agent", lambda: a2a_task(False))
tried("a2a-sdk", "a task of an agent, streamed", lambda: a2a_task(True))
