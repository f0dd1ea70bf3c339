package dev.deliverylab.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.types.ArrayOf;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.CompactArrayOf;
import org.apache.kafka.common.protocol.types.Field;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;
import org.junit.jupiter.api.Test;

/** Each response that names a node is rewritten, in each version; and none is forgotten. */
class NodeAddressesTest {

  private static final Address NODE = new Address("kafka-1.example.org", 9092);
  private static final Address DOOR = new Address("127.0.0.1", 54321);

  /**
   * Walks the schemas of all responses that a broker gives to clients, and finds those that hold a
   * host and a port together. A Kafka version that adds one makes this test fail.
   */
  @Test
  void noResponseThatNamesNodesIsForgotten() {
    Map<String, Set<Integer>> found = new TreeMap<>();
    for (ApiKeys api : ApiKeys.clientApis()) {
      Schema[] schemas = api.messageType.responseSchemas();
      for (int version = api.oldestVersion(); version <= api.latestVersion(); version++) {
        if (namesHostAndPort(schemas[version])
            && !NodeAddresses.namesNodes(api.id, (short) version)) {
          found.computeIfAbsent(api.name(), any -> new TreeSet<>()).add(version);
        }
      }
    }
    // Three that are left alone on purpose. Fetch from 16 on is never spoken through the relay. The
    // listeners of the
    // quorum are the controllers', to which no lane connects. The endpoints in a streams group are
    // the members' own.
    assertThat(found)
        .containsOnlyKeys(
            "FETCH", "DESCRIBE_QUORUM", "STREAMS_GROUP_HEARTBEAT", "STREAMS_GROUP_DESCRIBE");
    assertThat(found.get("FETCH")).allMatch(version -> version > NodeAddresses.NEWEST_FETCH);
  }

  private static boolean namesHostAndPort(Type type) {
    if (type instanceof Schema schema) {
      List<BoundField> fields = List.of(schema.fields());
      boolean host = fields.stream().anyMatch(field -> field.def.name.equals("host"));
      boolean port = fields.stream().anyMatch(field -> field.def.name.equals("port"));
      return (host && port) || fields.stream().anyMatch(field -> namesHostAndPort(field.def.type));
    }
    if (type instanceof TaggedFields tagged) {
      return tagged.fields().values().stream()
          .map((Field field) -> field.type)
          .anyMatch(NodeAddressesTest::namesHostAndPort);
    }
    if (type instanceof ArrayOf || type instanceof CompactArrayOf) {
      return namesHostAndPort(type.arrayElementType().orElseThrow());
    }
    return false;
  }

  @Test
  void metadata() {
    each(
        ApiKeys.METADATA,
        0,
        () -> {
          var data = new MetadataResponseData();
          data.brokers()
              .add(
                  new MetadataResponseData.MetadataResponseBroker()
                      .setNodeId(1)
                      .setHost(NODE.host())
                      .setPort(NODE.port()));
          return data;
        },
        data -> {
          var node = ((MetadataResponseData) data).brokers().find(1);
          return new Address(node.host(), node.port());
        });
  }

  @Test
  void describeCluster() {
    each(
        ApiKeys.DESCRIBE_CLUSTER,
        0,
        () -> {
          var data = new DescribeClusterResponseData();
          data.brokers()
              .add(
                  new DescribeClusterResponseData.DescribeClusterBroker()
                      .setBrokerId(1)
                      .setHost(NODE.host())
                      .setPort(NODE.port()));
          return data;
        },
        data -> {
          var node = ((DescribeClusterResponseData) data).brokers().find(1);
          return new Address(node.host(), node.port());
        });
  }

  @Test
  void findOneCoordinator() {
    for (short version = 0; version <= 3; version++) {
      var data =
          new FindCoordinatorResponseData().setNodeId(1).setHost(NODE.host()).setPort(NODE.port());
      var read = new FindCoordinatorResponseData();
      rewritten(ApiKeys.FIND_COORDINATOR, version, data, read);
      assertThat(new Address(read.host(), read.port())).isEqualTo(DOOR);
    }
  }

  @Test
  void findCoordinators() {
    each(
        ApiKeys.FIND_COORDINATOR,
        4,
        () ->
            new FindCoordinatorResponseData()
                .setCoordinators(
                    List.of(
                        new FindCoordinatorResponseData.Coordinator()
                            .setKey("g")
                            .setNodeId(1)
                            .setHost(NODE.host())
                            .setPort(NODE.port()))),
        data -> {
          var node = ((FindCoordinatorResponseData) data).coordinators().get(0);
          return new Address(node.host(), node.port());
        });
  }

  @Test
  void aCoordinatorThatWasNotFoundHasNoAddress() {
    var data =
        new FindCoordinatorResponseData()
            .setCoordinators(
                List.of(
                    new FindCoordinatorResponseData.Coordinator()
                        .setKey("g")
                        .setNodeId(-1)
                        .setHost("")
                        .setPort(-1)
                        .setErrorCode((short) 15)));
    var read = new FindCoordinatorResponseData();
    rewritten(ApiKeys.FIND_COORDINATOR, (short) 4, data, read);
    assertThat(read).isEqualTo(data);
  }

  @Test
  void produce() {
    each(
        ApiKeys.PRODUCE,
        10,
        () -> {
          var data = new ProduceResponseData();
          data.nodeEndpoints()
              .add(
                  new ProduceResponseData.NodeEndpoint()
                      .setNodeId(1)
                      .setHost(NODE.host())
                      .setPort(NODE.port()));
          return data;
        },
        data -> {
          var node = ((ProduceResponseData) data).nodeEndpoints().find(1);
          return new Address(node.host(), node.port());
        });
  }

  @Test
  void shareFetch() {
    each(
        ApiKeys.SHARE_FETCH,
        1,
        () -> {
          var data = new ShareFetchResponseData();
          data.nodeEndpoints()
              .add(
                  new ShareFetchResponseData.NodeEndpoint()
                      .setNodeId(1)
                      .setHost(NODE.host())
                      .setPort(NODE.port()));
          return data;
        },
        data -> {
          var node = ((ShareFetchResponseData) data).nodeEndpoints().find(1);
          return new Address(node.host(), node.port());
        });
  }

  @Test
  void shareAcknowledge() {
    each(
        ApiKeys.SHARE_ACKNOWLEDGE,
        1,
        () -> {
          var data = new ShareAcknowledgeResponseData();
          data.nodeEndpoints()
              .add(
                  new ShareAcknowledgeResponseData.NodeEndpoint()
                      .setNodeId(1)
                      .setHost(NODE.host())
                      .setPort(NODE.port()));
          return data;
        },
        data -> {
          var node = ((ShareAcknowledgeResponseData) data).nodeEndpoints().find(1);
          return new Address(node.host(), node.port());
        });
  }

  @Test
  void fetchIsOfferedOnlyWithoutAddresses() {
    for (short version : ApiKeys.API_VERSIONS.allVersions()) {
      var data = new ApiVersionsResponseData();
      data.apiKeys().add(range(ApiKeys.FETCH, 4, 18));
      data.apiKeys().add(range(ApiKeys.METADATA, 0, 13));
      var read = new ApiVersionsResponseData();
      rewritten(ApiKeys.API_VERSIONS, version, data, read);
      assertThat(read.apiKeys().find(ApiKeys.FETCH.id).maxVersion()).isEqualTo((short) 15);
      assertThat(read.apiKeys().find(ApiKeys.METADATA.id).maxVersion()).isEqualTo((short) 13);
    }
  }

  /** A broker that does not know the client's version of ApiVersions answers in version 0. */
  @Test
  void anUnknownVersionOfApiVersionsPassesAsItIs() {
    var data = new ApiVersionsResponseData().setErrorCode((short) 35);
    data.apiKeys().add(range(ApiKeys.API_VERSIONS, 0, 3));
    ByteBuffer response =
        RequestUtils.serialize(
            new ResponseHeaderData().setCorrelationId(7), (short) 0, data, (short) 0);
    ByteBuffer before = response.duplicate();
    assertThat(NodeAddresses.rewrite(ApiKeys.API_VERSIONS.id, (short) 4, response, node -> DOOR))
        .isEqualTo(before);
  }

  private static ApiVersionsResponseData.ApiVersion range(ApiKeys api, int from, int to) {
    return new ApiVersionsResponseData.ApiVersion()
        .setApiKey(api.id)
        .setMinVersion((short) from)
        .setMaxVersion((short) to);
  }

  private static void each(
      ApiKeys api, int from, Supplier<ApiMessage> data, Function<ApiMessage, Address> address) {
    for (short version = (short) Math.max(from, api.oldestVersion());
        version <= api.latestVersion();
        version++) {
      ApiMessage read = api.messageType.newResponse();
      rewritten(api, version, data.get(), read);
      assertThat(address.apply(read)).as("%s %d", api, version).isEqualTo(DOOR);
    }
  }

  private static void rewritten(ApiKeys api, short version, ApiMessage data, ApiMessage into) {
    assertThat(NodeAddresses.namesNodes(api.id, version)).isTrue();
    short headerVersion = api.responseHeaderVersion(version);
    ByteBuffer response =
        RequestUtils.serialize(
            new ResponseHeaderData().setCorrelationId(7), headerVersion, data, version);
    ByteBuffer rewritten =
        NodeAddresses.rewrite(
            api.id,
            version,
            response,
            node -> {
              assertThat(node).isEqualTo(NODE);
              return DOOR;
            });
    assertThat(ResponseHeader.parse(rewritten, headerVersion).correlationId()).isEqualTo(7);
    into.read(new ByteBufferAccessor(rewritten), version);
    assertThat(rewritten.hasRemaining()).isFalse();
  }
}
